import Streams
import StreamsTesting
import Testing

@Suite struct SubjectTests {
  /// A subject of one's own, without batches.
  private final class Own<Output>: Subject {
    typealias Failure = Never
    private(set) var sent: [Output] = []

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {}
    func send(_ value: Output) { sent.append(value) }
    func send(completion: Subscribers.Completion<Never>) {}
    func send(subscription: any Subscription) { subscription.request(.unlimited) }
  }

  @Test func aBatchIsSentValueByValue() {
    let subject = Own<Int>()
    [1, 2, 3].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(subject.sent == [1, 2, 3])
  }

  @Test func aValueThatCarriesNothingNeedsNoArgument() {
    let subject = Own<Void>()
    subject.send()
    #expect(subject.sent.count == 1)
  }

  @Test func takesWhatAPublisherSends() {
    let subject = Own<Int>()
    let upstream = TestPublisher<Int, Never>()
    let cancellable = upstream.subscribe(subject)
    #expect(upstream.ledger.requests == [.unlimited])
    upstream.send(batch: [4, 5])
    upstream.send(6)
    #expect(subject.sent == [4, 5, 6])
    cancellable.cancel()
    upstream.send(7)
    #expect(subject.sent == [4, 5, 6])
  }
}
