import Streams
import StreamsTesting
import Testing

/// What happens while `switchToLatest` cancels, and when it is cancelled.
@Suite struct SwitchToLatestCancellationTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func setup(_ recorder: Recorder = Recorder()) -> (Outer, Recorder) {
    let outer = Outer()
    outer.switchToLatest().subscribe(recorder)
    return (outer, recorder)
  }

  @Test func theNextIsNotSubscribedWhenTheUpstreamFails() {
    let (outer, recorder) = setup()
    let (first, second) = (Child(), Child())
    first.onCancel = { outer.send(completion: .failure(TestFailure())) }
    outer.send(first)
    outer.send(second)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .completion(.failure(TestFailure()))])
    #expect(second.subscribers.isEmpty)
    #expect(first.ledger.cancelCount == 1)
  }

  @Test func theNextIsNotSubscribedWhenTheDownstreamCancels() {
    let (outer, recorder) = setup()
    let (first, second) = (Child(), Child())
    first.onCancel = { recorder.cancel() }
    outer.send(first)
    outer.send(second)
    #expect(second.subscribers.isEmpty)
    #expect([outer.ledger.cancelCount, first.ledger.cancelCount] == [1, 1])
  }

  @Test func theNextIsNotSubscribedWhenAnotherComes() {
    let (outer, recorder) = setup()
    let (first, second, third) = (Child(), Child(), Child())
    first.onCancel = { outer.send(third) }
    outer.send(first)
    outer.send(second)
    #expect(second.subscribers.isEmpty)
    third.send(1)
    #expect(recorder.values == [1])
  }

  @Test func theNextIsSubscribedWhenTheUpstreamFinishes() {
    let (outer, recorder) = setup()
    let (first, second) = (Child(), Child())
    first.onCancel = {
      first.send(5)
      first.send(completion: .finished)
      outer.send(completion: .finished)
    }
    outer.send(first)
    outer.send(second)
    second.send(1)
    second.send(completion: .finished)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .value(1), .completion(.finished)])
  }

  @Test(arguments: ["cancel", "upstream fails", "switch"])
  func aCancellationMayWaitForAThreadThatSends(_ reason: String) {
    let (outer, recorder) = setup()
    let child = Child()
    child.onCancel = { race({ child.send(1) }) }
    outer.send(child)
    switch reason {
    case "cancel": recorder.cancel()
    case "upstream fails": outer.send(completion: .failure(TestFailure()))
    default: outer.send(Child())
    }
    #expect(child.ledger.isCancelled)
    #expect(recorder.values == [])
  }

  @Test func theUpstreamsCancellationMayWaitForAThreadThatSends() {
    let outer = Outer()
    outer.onCancel = { race({ outer.send(Child()) }) }
    let recorder = Recorder()
    outer.switchToLatest().subscribe(recorder)
    let child = Child()
    outer.send(child)
    child.send(completion: .failure(TestFailure()))
    #expect(recorder.completions == [.failure(TestFailure())])
  }

  /// The release of a subscription may send, here into the operator that has just let it go.
  @Test(arguments: ["finish", "fail", "switch", "cancel"])
  func aReleaseMayComeBack(_ end: String) {
    let (outer, recorder) = setup()
    let child = Child(sendsSubscription: false)
    outer.send(child)
    var count = 0
    do {
      let token = LifetimeToken {
        count += 1
        // What a publisher sends after its finish passes, as in Combine.
        if end != "finish" { child.send(9) }
        outer.send(Child())
        recorder.request(.max(1))
      }
      child.send(subscription: TestSubscription(onRequest: { _ in token.keep() }))
    }
    switch end {
    case "finish": child.send(completion: .finished)
    case "fail": child.send(completion: .failure(TestFailure()))
    case "switch": outer.send(Child())
    default: recorder.cancel()
    }
    #expect(count == 1)
    #expect(recorder.values == [])
  }

  @Test func cancelsTheChildThenTheUpstream() {
    let (outer, recorder) = setup()
    let child = Child()
    child.onCancel = { #expect(!outer.ledger.isCancelled) }
    outer.send(child)
    recorder.cancel()
    recorder.cancel()
    child.send(1)
    child.send(completion: .failure(TestFailure()))
    let late = Child()
    outer.send(late)
    outer.send(completion: .failure(TestFailure()))
    #expect(recorder.events == [.subscription("SwitchToLatest")])
    #expect(child.ledger.cancelCount == 1)
    #expect(outer.ledger.cancelCount == 1)
    #expect(late.subscribers.isEmpty)
  }
}
