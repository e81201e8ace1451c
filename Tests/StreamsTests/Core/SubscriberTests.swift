import Streams
import StreamsTesting
import Testing

@Suite struct SubscriberTests {
  /// A subscriber that is a value and takes values one by one.
  private struct OneByOne<Input>: Subscriber {
    typealias Failure = Never
    let log: RecordingSubscriber<Input, Never>
    let combineIdentifier = CombineIdentifier()

    func receive(subscription: any Subscription) { log.receive(subscription: subscription) }
    func receive(_ input: Input) -> Subscribers.Demand { log.receive(input) }
    func receive(completion: Subscribers.Completion<Never>) { log.receive(completion: completion) }
  }

  @Test func aBatchArrivesValueByValueAndDemandAddsUp() {
    let log = RecordingSubscriber<Int, Never>(initialDemand: .none) { .max($0) }
    let subscriber = OneByOne(log: log)
    let demand = [1, 2, 3].withUnsafeBufferPointer { subscriber.receive(contentsOf: $0) }
    #expect(demand == .max(6))
    #expect(log.batchSizes == [1, 1, 1])
    let delivery = subscriber._delivery()
    #expect([4, 5].withUnsafeBufferPointer(delivery) == .max(9))
    #expect([Int]().withUnsafeBufferPointer(delivery) == .none)
    #expect(log.values == [1, 2, 3, 4, 5])
  }

  @Test func aValueThatCarriesNothingNeedsNoArgument() {
    let log = RecordingSubscriber<Void, Never>(initialDemand: .none) { .max(7) }
    #expect(OneByOne(log: log).receive() == .max(7))
    #expect(log.batchSizes == [1])
  }

  @Test func anObjectStandsForAValue() {
    let log = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
    let subscriber = OneByOne(log: log)
    let object = subscriber._object()
    #expect(object.combineIdentifier == subscriber.combineIdentifier)
    object.receive(subscription: TestSubscription())
    _ = object.receive(1)
    object.receive(completion: .finished)
    #expect(log.events.map(\.kind) == ["subscription", "value", "finished"])
    #expect(log._object() === log)
  }

  @Test func aValueServesOperatorsAndSubjects() {
    let log = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
    let subject = PassthroughSubject<Int, Never>()
    subject.map { $0 + 1 }.subscribe(OneByOne(log: log))
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(log.events.map { "\($0)" }.dropFirst() == ["value(2)", "value(3)", "finished"])
  }
}
