import Streams
import StreamsTesting
import Testing

@Suite struct SubjectSubscriberTests {
  @Test func connectsASubjectToAPublisher() {
    let upstream = TestPublisher<Int, TestFailure>()
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let ticket = upstream.subscribe(subject)
    upstream.send(1)
    upstream.send(batch: [2, 3])
    #expect(subject.value == 3)
    ticket.cancel()
    ticket.cancel()
    upstream.send(4)
    #expect(subject.value == 3)
    #expect(upstream.ledger.requests == [.unlimited])
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func doesNotKeepTheSubjectAlive() {
    let upstream = TestPublisher<Int, TestFailure>()
    weak var released: AnyObject?
    var ticket: AnyCancellable?
    do {
      let subject = PassthroughSubject<Int, TestFailure>()
      released = subject
      ticket = upstream.subscribe(subject)
    }
    #expect(released == nil)
    #expect(upstream.ledger.isCancelled)
    withExtendedLifetime(ticket) {}
  }

  @Test func isASubscription() throws {
    let upstream = TestPublisher<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    let ticket = upstream.subscribe(subject)
    let subscription = try #require(upstream.subscribers.first as? any Subscription)
    subscription.request(.max(42))
    subscription.cancel()
    subscription.cancel()
    subscription.request(.max(37))
    #expect(upstream.ledger.entries == [.requested(.max(42)), .cancelled])
    #expect(String(describing: subscription) == "Subject")
    ticket.cancel()
  }
}
