import Streams
import StreamsTesting
import Testing

@Suite struct AnySubscriberTests {
  typealias Erased = AnySubscriber<Int, TestFailure>

  /// A subscriber that is not an object.
  struct Plain: Subscriber {
    typealias Input = Int
    typealias Failure = TestFailure
    let combineIdentifier = CombineIdentifier()
    let recorder = RecordingSubscriber<Int, TestFailure>()

    func receive(subscription: any Subscription) { recorder.receive(subscription: subscription) }
    func receive(_ input: Int) -> Subscribers.Demand { recorder.receive(input) }
    func receive(completion: Subscribers.Completion<TestFailure>) { recorder.receive(completion: completion) }
  }

  @Test func forwardsEverything() {
    let recorder = RecordingSubscriber<Int, TestFailure> { .max($0) }
    let erased = Erased(recorder)
    let subscription = TestSubscription("one")
    erased.receive(subscription: subscription)
    #expect(erased.receive(3) == .max(3))
    [4, 5].withUnsafeBufferPointer { batch in #expect(erased.receive(contentsOf: batch) == .max(9)) }
    erased.receive(completion: .failure(TestFailure()))
    #expect(
      recorder.events == [
        .subscription("one"), .value(3), .value(4), .value(5), .completion(.failure(TestFailure())),
      ])
    #expect(subscription.ledger.requests == [.unlimited])
  }

  @Test func keepsTheIdentifier() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    let plain = Plain()
    #expect(Erased(recorder).combineIdentifier == recorder.combineIdentifier)
    #expect(Erased(plain).combineIdentifier == plain.combineIdentifier)
    #expect(Erased(Erased(plain)).combineIdentifier == plain.combineIdentifier)
    let anonymous = Erased()
    #expect(anonymous.combineIdentifier == anonymous.combineIdentifier)
    #expect(anonymous.combineIdentifier != Erased().combineIdentifier)
  }

  @Test func describesWhatItWraps() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    #expect(Erased(recorder).description == "RecordingSubscriber")
    #expect(Erased(Plain()).description == "Plain")
    #expect(Erased(PassthroughSubject<Int, TestFailure>()).description == "Subject")
    #expect(Erased().description == "Anonymous AnySubscriber")
    #expect(Erased().playgroundDescription as? String == "Anonymous AnySubscriber")
  }

  @Test func reflectsWhatItWraps() {
    #expect(ObjectIdentifier(Mirror(reflecting: Erased()).subjectType) == ObjectIdentifier(String.self))
    let recorder = RecordingSubscriber<Int, TestFailure>()
    let mirror = Mirror(reflecting: Erased(recorder))
    #expect(ObjectIdentifier(mirror.subjectType) == ObjectIdentifier(type(of: recorder)))
    #expect(mirror.children.isEmpty)
    let subject = PassthroughSubject<Int, TestFailure>()
    #expect(
      Mirror(reflecting: Erased(subject)).children.map(\.label)
        == ["downstreamSubject", "upstreamSubscription", "subject"])
  }

  @Test func closuresMayBeLeftOut() {
    let erased = Erased(receiveValue: { .max($0) })
    erased.receive(subscription: Subscriptions.empty)
    #expect(erased.receive(2) == .max(2))
    erased.receive(completion: .finished)
    #expect(Erased().receive(1) == .none)
  }

  @Test func sendsIntoASubjectUntilItsCompletion() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    subject.subscribe(recorder)
    let erased = Erased(subject)
    #expect(erased.receive(1) == .none)
    let subscription = TestSubscription()
    erased.receive(subscription: subscription)
    let second = TestSubscription()
    erased.receive(subscription: second)
    #expect(erased.receive(2) == .none)
    erased.receive(completion: .finished)
    #expect(erased.receive(3) == .none)
    erased.receive(completion: .failure(TestFailure()))
    #expect(recorder.events == [.subscription("PassthroughSubject"), .value(2), .completion(.finished)])
    #expect(subscription.ledger.entries == [.requested(.unlimited)])
    #expect(second.ledger.entries == [.cancelled])
  }
}
