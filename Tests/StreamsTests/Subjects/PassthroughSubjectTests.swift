import Streams
import StreamsTesting
import Testing

@Suite struct PassthroughSubjectTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  let subject = PassthroughSubject<Int, TestFailure>()

  // MARK: Values and demand

  @Test func sendsOnlyWhatIsDemanded() {
    let recorder = Recorder(initialDemand: .max(2)) { $0 == 2 ? .max(1) : .none }
    subject.subscribe(recorder)
    for value in 1...5 { subject.send(value) }
    #expect(recorder.values == [1, 2, 3])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    subject.send(6)
    subject.send(7)
    #expect(recorder.values == [1, 2, 3, 6])
    #expect(recorder.overdrawn == 0)
  }

  @Test func batchesStopAtTheDemandOfEachSubscriber() {
    let limited = Recorder(initialDemand: .max(2)) { $0 == 2 ? .max(2) : .none }
    let unlimited = Recorder()
    subject.subscribe(limited)
    subject.subscribe(unlimited)
    [1, 2, 3, 4, 5].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(limited.values == [1, 2, 3, 4])
    #expect(unlimited.values == [1, 2, 3, 4, 5])
    #expect(subject.dropped == 1)
  }

  @Test func requestsForNothingTrap() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
      PassthroughSubject<Int, Never>().subscribe(recorder)
      recorder.request(.none)
    }
  }

  @Test func subscribersThatComeDuringADeliveryMissItsValue() {
    let late = Recorder()
    let early = Recorder { [subject] in
      if $0 == 1 { subject.subscribe(late) }
      return .none
    }
    subject.subscribe(early)
    subject.send(1)
    subject.send(2)
    #expect(early.values == [1, 2])
    #expect(late.values == [2])
  }

  @Test func sendsFromWithinADeliveryAreDeliveredAtOnce() {
    let second = Recorder()
    let first = Recorder { [subject] in
      if $0 == 1 { subject.send(2) }
      return .none
    }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    #expect(first.values == [1, 2])
    #expect(second.values == [2, 1])
  }

  // MARK: Ends

  @Test func completesOnce() {
    let recorder = Recorder()
    recorder.onCompletion = { [subject] _ in
      subject.send(3)
      subject.send(completion: .failure(TestFailure()))
    }
    subject.subscribe(recorder)
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription("PassthroughSubject"), .value(1), .completion(.finished)])
  }

  @Test func theFirstCompletionCounts() {
    subject.send(completion: .failure(TestFailure()))
    subject.send(completion: .finished)
    let late = Recorder()
    subject.subscribe(late)
    #expect(late.completions == [.failure(TestFailure())])
  }

  @Test func hasLetGoOfTheSubscriberWhenItCompletes() {
    let recorder = Recorder(initialDemand: .max(2))
    recorder.onCompletion = { [unowned recorder] _ in
      let subscription = Mirror(reflecting: recorder.subscriptions[0])
      #expect(subscription.descendant("downstream").map { "\($0)" } == "nil")
      #expect(subscription.descendant("demand") as? Subscribers.Demand == .max(2))
    }
    subject.subscribe(recorder)
    subject.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func lateSubscribersGetTheCompletionOnly() {
    subject.send(completion: .failure(TestFailure()))
    let recorder = Recorder()
    subject.subscribe(recorder)
    #expect(recorder.events == [.subscription("Empty"), .completion(.failure(TestFailure()))])
  }

  @Test func cancelledSubscribersGetNothing() {
    let recorders = (0..<5).map { _ in Recorder() }
    for recorder in recorders { subject.subscribe(recorder) }
    // The second cancels the third and itself while the value is on its way.
    recorders[1].onValue = { _ in
      recorders[2].cancel()
      recorders[1].cancel()
      return .none
    }
    subject.send(1)
    recorders[3].cancel()
    recorders[3].cancel()
    recorders[3].request(.max(1))
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorders.map(\.values) == [[1, 2], [1], [], [1], [1, 2]])
    #expect(recorders.map(\.completions.count) == [1, 0, 0, 0, 1])
  }

  @Test func placesOfCancelledSubscribersAreUsedAgain() {
    var kept: [Recorder] = []
    for index in 0..<100 {
      let recorder = Recorder()
      subject.subscribe(recorder)
      if index % 10 == 0 { kept.append(recorder) } else { recorder.cancel() }
    }
    subject.send(1)
    #expect(kept.allSatisfy { $0.values == [1] })
    for recorder in kept.reversed() { recorder.cancel() }
    subject.send(2)
    #expect(kept.allSatisfy { $0.values == [1] })
  }

  @Test func valuesKeepTheOrderOfSubscription() {
    var order: [Int] = []
    let recorders = (0..<20).map { index in
      Recorder { _ in
        order.append(index)
        return .none
      }
    }
    for recorder in recorders { subject.subscribe(recorder) }
    for index in stride(from: 1, to: 20, by: 2) { recorders[index].cancel() }
    subject.subscribe(recorders[1])
    subject.send(1)
    #expect(order == Array(stride(from: 0, to: 20, by: 2)) + [1])
  }

  // MARK: Upstreams

  @Test func requestsFromItsUpstreamsOnceSomebodyAsks() {
    let first = TestSubscription()
    let second = TestSubscription()
    subject.send(subscription: first)
    #expect(first.ledger.entries.isEmpty)
    let recorder = Recorder(initialDemand: .max(1))
    subject.subscribe(recorder)
    recorder.request(.max(1))
    #expect(first.ledger.entries == [.requested(.unlimited)])
    subject.send(subscription: second)
    #expect(second.ledger.entries == [.requested(.unlimited)])
  }

  @Test func cancelsItsUpstreamsWhenItGoesAway() {
    let upstream = TestSubscription()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    subject?.send(subscription: upstream)
    subject?.send(subscription: upstream)
    subject = nil
    #expect(upstream.ledger.entries == [.cancelled, .cancelled])
  }

  // MARK: Reflection

  @Test func describesItsSubscriptions() throws {
    let recorder = Recorder(initialDemand: .max(3))
    subject.subscribe(recorder)
    subject.send(1)
    let subscription = try #require(recorder.subscriptions.first)
    func children() -> [String] {
      Mirror(reflecting: subscription).children.map { "\($0.label ?? ""): \($0.value)" }
    }
    #expect(
      children() == [
        "parent: Optional(Streams.PassthroughSubject<Swift.Int, StreamsTests.TestFailure>)",
        "downstream: Optional(RecordingSubscriber)", "demand: max(2)",
        "subject: Optional(Streams.PassthroughSubject<Swift.Int, StreamsTests.TestFailure>)",
      ])
    recorder.cancel()
    #expect(children() == ["parent: nil", "downstream: nil", "demand: max(2)", "subject: nil"])
    #expect(
      (subscription as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription as? String
        == "PassthroughSubject")
  }
}
