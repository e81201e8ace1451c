import Foundation
import Streams
import StreamsTesting
import Testing

@Suite struct ObservableObjectTests {
  class Base: ObservableObject {
    @Published var first = 0
    let constant = Published(initialValue: "constant")
    var plain = 0
  }

  class Middle<Value>: Base {
    @Published var second: Value
    init(_ value: Value) { second = value }
  }

  final class Derived: Middle<String> {
    @Published var third = [1]
  }

  class PlainBase {
    @Published var inherited = 1
  }

  final class ObservedChild: PlainBase, ObservableObject {}

  final class OfFoundation: Operation, ObservableObject, @unchecked Sendable {
    @Published var value = 0
  }

  final class WithoutPublished: ObservableObject {
    var value = 0
    func change() {
      objectWillChange.send()
      value += 1
    }
  }

  final class Custom: ObservableObject {
    let objectWillChange = PassthroughSubject<String, Never>()
    @Published var value = 0
  }

  func changes(of object: some ObservableObject, during body: () -> Void) -> Int {
    var count = 0
    let cancellable = object.objectWillChange.sink { _ in count += 1 }
    body()
    cancellable.cancel()
    return count
  }

  @Test func tellsOfEveryPublishedPropertyAlsoOfSuperclasses() {
    let object = Derived("a")
    let count = changes(of: object) {
      object.first += 1
      object.second += "b"
      object.third.append(2)
      object.plain += 1
    }
    #expect(count == 3)
    let child = ObservedChild()
    #expect(changes(of: child) { child.inherited += 1 } == 1)
    let operation = OfFoundation()
    #expect(changes(of: operation) { operation.value += 1 } == 1)
  }

  private class Reflectable: ObservableObject, CustomReflectable {
    @Published var first = 0
    var customMirror: Mirror { Mirror(self, children: ["hidden": 1]) }
  }

  private final class BelowReflectable: Reflectable {
    @Published var second = 0
  }

  private class OnlyReflectable: CustomReflectable {
    @Published var inherited = 0
    var customMirror: Mirror { Mirror(self, children: [:], ancestorRepresentation: .suppressed) }
  }

  private final class GenericBelow<Value>: OnlyReflectable, ObservableObject {
    let something: Value
    @Published var value: Value
    init(_ value: Value) { (something, self.value) = (value, value) }
  }

  /// What a mirror shows is the class's own affair.
  @Test func tellsOfWhatItsMirrorHides() {
    let object = Reflectable()
    #expect(changes(of: object) { object.first += 1 } == 1)
    let below = BelowReflectable()
    #expect(
      changes(of: below) {
        below.first += 1
        below.second += 1
      } == 2)
    let generic = GenericBelow("a")
    #expect(
      changes(of: generic) {
        generic.inherited += 1
        generic.value += "b"
      } == 2)
    #expect(below.objectWillChange === below.objectWillChange)
    #expect((below as Reflectable).objectWillChange === below.objectWillChange)
  }

  @Test func tellsBeforeTheChange() {
    let object = Base()
    var seen: [Int] = []
    let cancellable = object.objectWillChange.sink { seen.append(object.first) }
    object.first = 1
    object.first = 2
    #expect(seen == [0, 1])
    cancellable.cancel()
  }

  @Test func tellsBeforeTheValueIsSent() {
    let object = Base()
    var order: [String] = []
    let cancellables = [
      object.$first.dropFirst().sink { _ in order.append("value") },
      object.objectWillChange.sink { order.append("change") },
    ]
    object.first = 1
    #expect(order == ["change", "value"])
    withExtendedLifetime(cancellables) {}
  }

  @Test func thePublisherIsOneForLife() {
    let object = Derived("a")
    #expect(object.objectWillChange === object.objectWillChange)
    #expect((object as Base).objectWillChange === object.objectWillChange)
    let plain = WithoutPublished()
    #expect(plain.objectWillChange === plain.objectWillChange)
    #expect(changes(of: plain) { plain.change() } == 1)
    #expect(plain.objectWillChange !== WithoutPublished().objectWillChange)
  }

  /// Objects come and go at the same addresses: none may get another's publisher, and the table must not
  /// grow.
  @Test func publishersOfShortLivedObjectsAreTheirOwn() {
    let lifetimes = LifetimeTracker()
    for _ in 0..<1000 {
      let object = WithoutPublished()
      var count = 0
      let sink = Subscribers.Sink<Void, Never>(
        receiveCompletion: { _ in },
        receiveValue: { [token = lifetimes.token()] in
          token.keep()
          count += 1
        })
      object.objectWillChange.subscribe(sink)
      object.change()
      #expect(count == 1)
    }
    #expect(lifetimes.liveCount < 100)
  }

  @Test func anOwnPublisherIsLeftAlone() {
    let object = Custom()
    #expect(changes(of: object) { object.value += 1 } == 0)
    #expect(changes(of: object) { object.objectWillChange.send("x") } == 1)
  }

  /// The table looks whether objects are gone. If that look turns out to keep one for longest, the object's end is run
  /// there, and may come back.
  @Test func anObjectMayEndWhileItsPublisherIsLookedFor() {
    final class Ending: ObservableObject {
      deinit { objectWillChange.send() }
    }
    func comeAndGo() {
      for _ in 0..<20_000 { Ending().objectWillChange.send() }
    }
    race(comeAndGo, comeAndGo)
  }

  @Test func letsGoOfThePublishersOfObjectsThatAreGone() {
    final class Plain: ObservableObject {}
    /// Too large to be put where a plain one has been.
    final class Large: ObservableObject { let room = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }
    let lifetimes = LifetimeTracker()
    do {
      let object = Plain()
      let recorder = RecordingSubscriber<Void, Never>()
      recorder.onValue = { [token = lifetimes.token()] _ in
        token.keep()
        return .none
      }
      object.objectWillChange.subscribe(recorder)
      recorder.forgetSubscriptions()
    }
    // Whenever the objects have doubled in number, the ones that are gone are looked for.
    var others: [Large] = []
    while lifetimes.liveCount > 0, others.count < 100_000 {
      others.append(Large())
      _ = others.last?.objectWillChange
    }
    #expect(lifetimes.liveCount == 0)
  }
}
