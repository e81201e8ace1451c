import StreamsTesting
import Testing

@testable import Streams

@Suite struct SubjectSubscriberTests {
  private let upstream = TestPublisher<Int, TestFailure>()
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let recorder = RecordingSubscriber<Int, TestFailure>()

  @Test func sendsIntoTheSubject() {
    subject.subscribe(recorder)
    let cancellable = upstream.subscribe(subject)
    #expect(upstream.ledger.requests == [.unlimited])
    #expect(upstream.send(1) == .none)
    #expect(upstream.send(batch: [2, 3]) == .none)
    upstream.send(completion: .failure(TestFailure()))
    #expect(
      recorder.events.map { "\($0)" }.dropFirst() == ["value(1)", "value(2)", "value(3)", "failure(failure)"])
    #expect(recorder.batchSizes == [1, 2])
    cancellable.cancel()
    #expect(!upstream.ledger.isCancelled)
  }

  /// A connection that comes and goes leaves nothing behind, however long the subject lives.
  @Test(arguments: ["cancelled", "completed"])
  func whatHasEndedIsLetGoOf(_ end: String) {
    final class Weak {
      weak var link: AnyObject?
      init(_ link: AnyObject) { self.link = link }
    }
    let kept = (0..<20).map { _ in TestPublisher<Int, Never>() }
    do {
      let subject = PassthroughSubject<Int, Never>()
      var values: [Int] = []
      let cancellable = subject.sink { values.append($0) }
      var links = kept.map { Weak($0.connect(to: subject)) }
      links += (0..<1000).map { _ in
        let upstream = TestPublisher<Int, Never>()
        let link = upstream.connect(to: subject)
        if end == "cancelled" { link.cancel() } else { upstream.send(completion: .finished) }
        return Weak(link)
      }
      let linkCount = links.filter { $0.link != nil }.count
      #expect(linkCount <= 41)
      for (index, upstream) in kept.enumerated() { upstream.send(index) }
      #expect(values == (end == "cancelled" ? Array(0..<20) : []))
      withExtendedLifetime(cancellable) {}
    }
    let cancelled = kept.filter { $0.ledger.isCancelled }
    #expect(cancelled.count == kept.count)
  }

  @Test func theSubjectDecidesOnTheDemand() {
    let cancellable = upstream.subscribe(subject)
    #expect(upstream.ledger.requests == [])
    subject.subscribe(recorder)
    #expect(upstream.ledger.requests == [.unlimited])

    let eager = TestPublisher<Int, TestFailure>()
    let other = eager.subscribe(CurrentValueSubject<Int, TestFailure>(0))
    #expect(eager.ledger.requests == [.unlimited])
    withExtendedLifetime((cancellable, other)) {}
  }

  @Test func cancelsASubscriptionThatComesAfterItWasCancelled() {
    subject.subscribe(recorder)
    let scheduler = VirtualTimeScheduler()
    upstream.subscribe(on: scheduler).subscribe(subject).cancel()
    scheduler.run()
    upstream.send(1)
    #expect(recorder.values == [])
    #expect(upstream.ledger.isCancelled)
  }

  @Test func endsWithItsTicket() {
    subject.subscribe(recorder)
    var cancellable: AnyCancellable? = upstream.subscribe(subject)
    cancellable?.cancel()
    cancellable = nil
    upstream.send(1)
    upstream.send(batch: [2, 3])
    upstream.send(completion: .finished)
    #expect(recorder.events.map(\.kind) == ["subscription"])
    #expect(upstream.ledger.cancelCount == 1)

    cancellable = upstream.subscribe(subject)
    #expect(!upstream.ledger.isCancelled)
    cancellable = nil
    #expect(upstream.ledger.isCancelled)
  }

  @Test func endsWithItsSubject() {
    var subject: PassthroughSubject? = PassthroughSubject<Int, TestFailure>()
    let cancellable = upstream.subscribe(subject!)
    weak let released = subject
    subject = nil
    #expect(released == nil)
    #expect(upstream.ledger.cancelCount == 1)
    upstream.send(1)
    upstream.send(completion: .finished)
    cancellable.cancel()
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func keepsItsFirstSubscription() {
    subject.subscribe(recorder)
    let cancellable = upstream.subscribe(subject)
    let second = TestSubscription()
    upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    upstream.send(1)
    #expect(recorder.values == [1])
    upstream.send(completion: .finished)
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(recorder.events.map(\.kind) == ["subscription", "value", "finished"])
    cancellable.cancel()
  }

  @Test func ignoresWhatComesBeforeItsSubscription() {
    let upstream = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    subject.subscribe(recorder)
    let cancellable = upstream.subscribe(subject)
    #expect(upstream.send(1) == .none)
    upstream.send(completion: .finished)
    #expect(recorder.events.map(\.kind) == ["subscription"])
    upstream.sendSubscription()
    upstream.send(2)
    #expect(recorder.values == [2])
    cancellable.cancel()
  }

  @Test func isASubscription() throws {
    let cancellable = upstream.subscribe(subject)
    let subscription = try #require(upstream.subscribers.first as? any Subscription)
    subscription.request(.max(42))
    subscription.cancel()
    subscription.cancel()
    subscription.request(.max(37))
    #expect(upstream.ledger.entries == [.requested(.max(42)), .cancelled])
    cancellable.cancel()
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func describesItself() {
    let cancellable = upstream.subscribe(subject)
    let subscriber = upstream.subscribers[0]
    expectReflection(
      of: subscriber, name: "Subject", children: ["downstreamSubject", "upstreamSubscription", "subject"])
    #expect(Mirror(reflecting: subscriber).descendant("upstreamSubscription") is TestSubscription)
    cancellable.cancel()
  }

  @Test func sendsSeveralPublishersIntoOneSubject() {
    let other = TestPublisher<Int, TestFailure>()
    subject.subscribe(recorder)
    let cancellable = [upstream.subscribe(subject), other.subscribe(subject)]
    upstream.send(1)
    other.send(2)
    upstream.send(3)
    #expect(recorder.values == [1, 2, 3])
    upstream.send(completion: .finished)
    other.send(4)
    #expect(recorder.events.map(\.kind) == ["subscription", "value", "value", "value", "finished"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func sendsFromManyThreads() {
    subject.subscribe(recorder)
    for _ in 0..<50 {
      let cancellable = upstream.subscribe(subject)
      race({ upstream.send(1) }, { upstream.send(2) }, { cancellable.cancel() })
      upstream.forgetSubscribers()
    }
    #expect(recorder.overlapCount == 0)
  }
}
