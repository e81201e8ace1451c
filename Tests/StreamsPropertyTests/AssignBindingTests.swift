import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct AssignBindingTests {
  @Test func setsTheBindingToEachValue() {
    let numbers = TestPublisher<Int, Never>()
    let subject = CurrentValueSubject<[Int], Never>([0, 0])
    let log = Log(Binding(subject).values)
    let cancellable = numbers.assign(to: Binding(subject)[1])
    #expect(numbers.ledger.requests == [.unlimited])
    numbers.send(1)
    numbers.send(2)
    #expect(log.values == [[0, 0], [0, 1], [0, 2]])
    cancellable.cancel()
    #expect(numbers.ledger.cancelCount == 1)
  }

  @Test func keepsWhatTheBindingStandsOnUntilItEnds() {
    weak var source: CurrentValueSubject<Int, Never>?
    let numbers = PassthroughSubject<Int, Never>()
    let cancellable: AnyCancellable
    do {
      let subject = CurrentValueSubject<Int, Never>(0)
      source = subject
      cancellable = numbers.assign(to: Binding(subject))
    }
    numbers.send(1)
    #expect(source?.value == 1)
    numbers.send(completion: .finished)
    #expect(source == nil)
    cancellable.cancel()
  }

  @Test func twoBindingsFollowEachOther() {
    let (first, second) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(2))
    let (left, right) = (Binding(first), Binding(second))
    let cancellables = [
      left.values.removeDuplicates().assign(to: right), right.values.removeDuplicates().assign(to: left),
    ]
    #expect(second.value == 1)
    right.wrappedValue = 5
    #expect(first.value == 5)
    left.wrappedValue = 7
    #expect(second.value == 7)
    withExtendedLifetime(cancellables) {}
  }
}
