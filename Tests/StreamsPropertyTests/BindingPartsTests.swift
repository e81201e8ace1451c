import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct BindingPartsTests {
  private struct Person: Equatable {
    var name: String
    var age: Int
    var nickname: String?
  }

  private let person = CurrentValueSubject<Person, Never>(Person(name: "Ada", age: 36))
  private var binding: Binding<Person> { Binding(person) }

  @Test func aPairOfFunctionsMakesAPart() {
    let celsius = CurrentValueSubject<Double, Never>(20)
    let fahrenheit = Binding(celsius).map(get: { $0 * 2 + 30 }, set: { _, degrees in (degrees - 30) / 2 })
    let log = Log(fahrenheit.values)
    fahrenheit.wrappedValue = 50
    #expect(celsius.value == 10)
    celsius.value = 0
    #expect(fahrenheit.wrappedValue == 30)
    #expect(log.values == [70, 50, 30])
  }

  @Test func aKeyPathMakesAPart() {
    let name = binding.name
    let (names, lengths) = (Log(name.values), Log(Property(binding).map(\.name.count).allValues))
    name.wrappedValue = "Grace"
    binding.age.wrappedValue += 1
    #expect(person.value == Person(name: "Grace", age: 37))
    #expect(names.values == ["Ada", "Grace", "Grace"])
    #expect(lengths.values == [3, 5, 5])
  }

  @Test func partsOfOneBindingShowAChangeOnce() {
    let binding = binding
    let both = Property(binding.name).combineLatest(Property(binding.age)) { "\($0) \($1)" }
    let log = Log(both.allValues)
    person.value = Person(name: "Grace", age: 85)
    #expect(log.values == ["Ada 36", "Grace 85"])
  }

  @Test func anOptionalIsUnwrappedWhileThereIsSomething() throws {
    let nickname = binding.nickname
    let none = Binding<String>(nickname)
    #expect(none?.wrappedValue == nil)
    nickname.wrappedValue = "Countess"
    let unwrapped = try #require(Binding<String>(nickname))
    let log = Log(unwrapped.values)
    unwrapped.wrappedValue += "!"
    #expect(person.value.nickname == "Countess!")
    person.value.nickname = nil
    #expect(unwrapped.wrappedValue == "Countess!")
    #expect(Log(unwrapped.values).values == ["Countess!"])
    unwrapped.wrappedValue = "A"
    #expect(person.value.nickname == "A")
    #expect(log.values == ["Countess", "Countess!", "A"])
  }

  @Test func aValueIsAnOptional() {
    let name = Binding<String?>(binding.name)
    let log = Log(name.values)
    name.wrappedValue = "Grace"
    name.wrappedValue = nil
    #expect(name.wrappedValue == "Grace")
    #expect(log.values == ["Ada", "Grace"])
  }

  @Test func aValueIsWithoutItsType() {
    let name = Binding<AnyHashable>(binding.name)
    let log = Log(name.values)
    name.wrappedValue = AnyHashable("Grace")
    name.wrappedValue = AnyHashable(1)
    #expect(person.value.name == "Grace")
    #expect(log.values == ["Ada", "Grace"])
  }

  @Test func toSetAPartOfPartsReadsEachOnce() {
    let number = CurrentValueSubject<Int, Never>(0)
    var reads = 0
    var part = Binding(number)
    for _ in 0..<50 {
      part = part.map(
        get: { whole in
          reads += 1
          return whole + 1
        }, set: { $1 - 1 })
    }
    part.wrappedValue = 60
    #expect(number.value == 10)
    #expect(reads == 49)
    #expect(part.wrappedValue == 60)
  }

  @Test func whatAPartDoesNotAcceptIsNotWritten() {
    var written: [String?] = []
    let base = Binding<String?>(get: { nil }, set: { written.append($0) })
    Binding<String??>(base).wrappedValue = .some(nil)
    Binding<String??>(base).wrappedValue = nil
    #expect(written == [nil])
  }
}
