import Streams
import StreamsTesting
import Testing

@Suite struct IgnoreOutputTests {
  typealias Rig = OperatorRig<Int, TestFailure, Never, TestFailure>

  @Test func dropsValues() {
    let rig = Rig(demand: .none) { $0.ignoreOutput() }
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.upstream.send(batch: [2, 3]) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "finished"])
    #expect(rig.requests == [.unlimited])
  }

  @Test func requestsEverythingAfterSendingTheSubscription() {
    let rig = Rig(demand: .max(42)) { $0.ignoreOutput() }
    rig.recorder.request(.max(5))
    rig.recorder.cancel()
    rig.recorder.cancel()
    rig.recorder.request(.max(50))
    #expect(
      rig.upstream.ledger.entries == [
        .requested(.max(42)), .requested(.unlimited), .requested(.max(5)), .cancelled, .cancelled,
        .requested(.max(50)),
      ])
  }

  @Test func passesEverySubscriptionAndCompletionOn() {
    let rig = Rig(demand: .none) { $0.ignoreOutput() }
    let second = TestSubscription("second")
    rig.upstream.send(subscription: second)
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.upstream.send(completion: .finished)
    #expect(second.ledger.entries == [.requested(.unlimited)])
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "subscription", "failure", "finished"])
  }

  @Test func acceptsSignalsBeforeTheSubscription() {
    let rig = Rig(sendsSubscription: false) { $0.ignoreOutput() }
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["finished"])
  }

  @Test func describesItself() {
    let rig = Rig { $0.ignoreOutput() }
    expectReflection(of: rig.inner, name: "IgnoreOutput")
    #expect(!(rig.inner is any Subscription))
  }

  @Test func isEquatable() {
    struct Numbered: Publisher, Equatable {
      typealias Output = Int
      typealias Failure = Never
      let number: Int
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {}
    }
    #expect(Numbered(number: 1).ignoreOutput() == Numbered(number: 1).ignoreOutput())
    #expect(Numbered(number: 1).ignoreOutput() != Numbered(number: 2).ignoreOutput())
  }

  @Test(arguments: [true, false])
  func releasesItsSubscriberAtTheEnd(byCancelling: Bool) {
    let lifetimes = LifetimeTracker()
    let subject = PassthroughSubject<Int, TestFailure>()
    var subscription: (any Subscription)?
    do {
      let token = lifetimes.token()
      let recorder = RecordingSubscriber<Never, TestFailure>()
      recorder.onCompletion = { _ in token.keep() }
      subject.ignoreOutput().subscribe(recorder)
      subscription = recorder.subscriptions.first
    }
    subject.send(1)
    #expect(lifetimes.liveCount == 1)
    if byCancelling { subscription?.cancel() } else { subject.send(completion: .finished) }
    #expect(lifetimes.liveCount == 0)
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.ignoreOutput() }
  }
}
