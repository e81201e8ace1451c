import Streams
import StreamsTesting
import Testing

/// How `flatMap` ends.
@Suite struct FlatMapCompletionTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test func finishesWhenTheUpstreamAndAllChildrenHave() {
    let (outer, first, second) = (Outer(), Child(), Child())
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(first)
    outer.send(second)
    first.send(completion: .finished)
    outer.send(completion: .finished)
    #expect(second.send(1) == .none)
    #expect(recorder.completions.isEmpty)
    second.send(completion: .finished)
    second.send(completion: .finished)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .completion(.finished)])
    #expect(outer.ledger.entries.contains(.cancelled) == false)
  }

  @Test func waitsForAChildThatHasNoSubscriptionYet() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder()
    child.onSubscribe = { _ in outer.send(completion: .finished) }
    outer.flatMap(maxPublishers: .max(1)) { $0 }.subscribe(recorder)
    outer.send(child)
    #expect(recorder.completions.isEmpty)
    child.send(completion: .finished)
    #expect(recorder.completions == [.finished])
    #expect(outer.ledger.requests == [.max(1)])
  }

  @Test func sendsWhatItKeepsBeforeItFinishes() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(1))
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(1)
    child.send(2)
    outer.send(completion: .finished)
    child.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .value(2), .completion(.finished)])
  }

  @Test func anUpstreamWithoutASubscriptionMayFinish() {
    let outer = Outer(sendsSubscription: false)
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription("FlatMap"), .completion(.finished)])
  }

  @Test func anUpstreamsFailureCancelsTheChildrenFirst() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onCompletion = { _ in #expect(child.ledger.isCancelled) }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(1)
    child.send(2)
    outer.send(completion: .failure(TestFailure()))
    outer.send(completion: .failure(TestFailure()))
    let late = Child()
    outer.send(late)
    recorder.request(.max(1))
    #expect(
      recorder.events == [.subscription("FlatMap"), .value(1), .completion(.failure(TestFailure()))])
    #expect(late.subscribers.isEmpty)
    #expect(outer.ledger.cancelCount == 0)
    #expect(child.ledger.cancelCount == 1)
  }

  @Test func aChildsFailureCancelsItsSiblingsOnly() {
    let (outer, children) = (Outer(), [Child(), Child(), Child()])
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    for child in children { outer.send(child) }
    children[1].send(completion: .failure(TestFailure()))
    children[2].send(completion: .failure(TestFailure()))
    #expect(recorder.completions == [.failure(TestFailure())])
    #expect(children.map(\.ledger.cancelCount) == [1, 0, 1])
    #expect(outer.ledger.cancelCount == 0)
  }

  @Test func aChildMayFinishBeforeItsSubscription() {
    let (outer, child) = (Outer(), Child(sendsSubscription: false))
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(completion: .finished)
    outer.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func aChildThatSubscribesAfterAFailureIsCancelled() {
    let (outer, child) = (Outer(), Child(sendsSubscription: false))
    outer.flatMap { $0 }.subscribe(Recorder())
    outer.send(child)
    outer.send(completion: .failure(TestFailure()))
    child.sendSubscription()
    #expect(child.ledger.entries == [.cancelled])
  }

  @Test func anUpstreamThatHasFinishedIsNotCancelled() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    outer.send(completion: .finished)
    recorder.cancel()
    #expect(outer.ledger.cancelCount == 0)
    #expect(child.ledger.cancelCount == 1)
  }

  /// The upstream here holds on to the operator.
  @Test func letsGoOfTheSubscriptionOfAnUpstreamThatFailed() {
    let outer = Outer(sendsSubscription: false)
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    weak var subscription: TestSubscription?
    do {
      let held = TestSubscription()
      outer.send(subscription: held)
      subscription = held
    }
    #expect(subscription != nil)
    outer.send(completion: .failure(TestFailure()))
    #expect(recorder.completions == [.failure(TestFailure())])
    #expect(subscription == nil)
  }

  @Test func aSecondFailureWhileChildrenAreCancelledTraps() async {
    await #expect(processExitsWith: .failure) {
      let outer = TestPublisher<TestPublisher<Int, TestFailure>, TestFailure>()
      outer.flatMap { $0 }.subscribe(RecordingSubscriber<Int, TestFailure>())
      let child = TestPublisher<Int, TestFailure>()
      child.onCancel = { outer.send(completion: .failure(TestFailure())) }
      outer.send(child)
      outer.send(completion: .failure(TestFailure()))
    }
  }
}
