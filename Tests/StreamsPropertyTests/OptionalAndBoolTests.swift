import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct OptionalAndBoolTests {
  @Test func replaceNil() {
    let subject = CurrentValueSubject<Int?, Never>(nil)
    let log = Log(Property(subject).replaceNil(with: 7).allValues)
    subject.value = 1
    #expect(log.values == [7, 1])
  }

  @Test func optional() { #expect(Property(1).optional().value == Optional(1)) }

  @Test func coalesce() {
    let (first, second) = (CurrentValueSubject<Int?, Never>(nil), CurrentValueSubject<Int?, Never>(2))
    let log = Log(Property(first).coalesce(Property(second)).allValues)
    first.value = 1
    second.value = 3
    first.value = nil
    #expect(log.values == [2, 1, 1, 3])
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func logic(_ a: Bool, _ b: Bool) {
    let (left, right) = (CurrentValueSubject<Bool, Never>(!a), CurrentValueSubject<Bool, Never>(!b))
    let (first, second) = (Property(left), Property(right))
    let results = [
      first.negate(), first.and(second), first.or(second), Property.all([first, second]),
      Property.any([first, second]),
    ]
    (left.value, right.value) = (a, b)
    #expect(results.map(\.value) == [!a, a && b, a || b, a && b, a || b])
  }

  @Test func ofNone() {
    #expect(Property.all([Property<Bool>]()).value)
    #expect(!Property.any([Property<Bool>]()).value)
  }
}
