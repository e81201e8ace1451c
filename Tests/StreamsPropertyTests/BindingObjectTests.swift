import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct BindingObjectTests {
  private class Person: ObservableObject {
    @Published var given = "Ada"
    @Published var age = 36
    var note = ""
    var token: LifetimeToken?
  }

  private final class Member: Person {
    @Published var family = "Lovelace"
    @Published var tags = ["new"]
    var name: String {
      get { "\(given) \(family)" }
      set {
        let parts = newValue.split(separator: " ").map(String.init)
        (given, family) = (parts[0], parts[1])
      }
    }
  }

  @Test func aPublishedPropertyIsReadWrittenAndShown() {
    let member = Member()
    let given = Binding(member, \.given)
    let log = Log(given.values)
    given.wrappedValue = "Grace"
    member.age += 1
    member.given = "Joan"
    #expect(given.wrappedValue == "Joan")
    #expect(log.values == ["Ada", "Grace", "Joan"])
    #expect(!log.isFinished)
  }

  @Test func aComputedPropertyIsShownWhenItsSourcesChange() {
    let member = Member()
    let (name, tag) = (Binding(member, \.name), Binding(member, \.tags[0]))
    let (log, tags) = (Log(name.values), Log(tag.values))
    member.family = "King"
    member.age += 1
    name.wrappedValue = "Grace Hopper"
    tag.wrappedValue = "old"
    #expect(log.values == ["Ada Lovelace", "Ada King", "Grace King", "Grace Hopper"])
    #expect(tags.values == ["new", "old"])
  }

  @Test func whatIsNotPublishedIsShownWhenItIsSetThroughTheBinding() {
    let person = Person()
    let note = Binding(person, \.note)
    let log = Log(
      note.map(get: { $0.count }, set: { _, count in String(repeating: "x", count: count) }).values)
    note.wrappedValue = "a"
    person.note = "abc"
    note.wrappedValue += "d"
    #expect(person.note == "abcd")
    #expect(log.values == [0, 1, 4])
  }

  @Test func theObjectIsToldBeforeItChanges() {
    let person = Person()
    var ages: [Int] = []
    let cancellable = person.objectWillChange.sink { [unowned person] in ages.append(person.age) }
    let age = Binding(person, \.age)
    age.wrappedValue += 1
    let log = Log(age.values)
    age.wrappedValue += 1
    #expect(ages == [36, 37])
    #expect(log.values == [37, 38])
    cancellable.cancel()
  }

  @Test func settingWithinADeliveryIsShownAfterwards() {
    let person = Person()
    let age = Binding(person, \.age)
    let cancellable = age.values.sink { if $0 == 37 { age.wrappedValue = 40 } }
    let log = Log(age.values)
    age.wrappedValue = 37
    #expect(age.wrappedValue == 40)
    #expect(log.values == [36, 37, 40])
    cancellable.cancel()
  }

  @Test func keepsTheObjectAndNoLonger() {
    let lifetimes = LifetimeTracker()
    var age: Binding<Int>?
    do {
      let person = Person()
      person.token = lifetimes.token()
      age = Binding(person, \.age)
    }
    let log = age.map { Log($0.values) }
    age?.wrappedValue = 1
    age = nil
    #expect(lifetimes.liveCount == 1)
    #expect(log?.values == [36, 1])
    _ = consume log
    #expect(lifetimes.liveCount == 0)
  }

  @Test func watchingWithinAReadOfAnother() {
    final class Outer: ObservableObject {
      let inner = Person()
      @Published var count = 1
      var log: Log<Int>?
      var sum: Int {
        get {
          let first = count
          if log == nil { log = Log(Binding(inner, \.age).values) }
          return first
        }
        set { count = newValue }
      }
    }
    let outer = Outer()
    let log = Log(Binding(outer, \.sum).values)
    outer.inner.age = 1
    outer.count = 2
    // What is read while a property is read belongs to it, whoever reads it.
    #expect(log.values == [1, 1, 2])
    #expect(outer.log?.values == [36, 1])
  }
}
