import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite struct ReplaySubjectTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>
  typealias Replay = ReplaySubject<Int, TestFailure>

  private func subject(_ size: Int, sent values: ClosedRange<Int>? = nil) -> Replay {
    let subject = Replay(bufferSize: size)
    values?.forEach(subject.send)
    return subject
  }

  private func recorder(
    on subject: Replay, _ demand: Subscribers.Demand = .unlimited
  ) -> Recorder {
    let recorder = Recorder(initialDemand: demand)
    subject.subscribe(recorder)
    return recorder
  }

  // MARK: Values and demand

  @Test func sendsTheLatestToEachNewSubscriber() {
    let subject = subject(2, sent: 1...3)
    let first = recorder(on: subject)
    subject.send(4)
    let second = recorder(on: subject)
    #expect(first.events == [.subscription("ReplaySubject"), .value(2), .value(3), .value(4)])
    #expect(second.values == [3, 4])
  }

  @Test func withoutASizeItKeepsEverything() {
    let subject = Replay()
    (1...100).forEach(subject.send)
    #expect(recorder(on: subject).values == Array(1...100))
  }

  @Test func ofSizeNoneItKeepsNothing() {
    let subject = subject(0, sent: 1...3)
    let recorders = [recorder(on: subject), recorder(on: subject, .none)]
    subject.send(4)
    recorders[1].request(.unlimited)
    subject.send(5)
    #expect(recorders.map(\.values) == [[4, 5], [5]])
  }

  @Test func aSubscriberThatIsBehindMissesNothingThatIsKept() {
    let subject = subject(2)
    let recorder = recorder(on: subject, .none)
    [1, 2].forEach(subject.send)
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    subject.send(3)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    [4, 5].forEach(subject.send)
    recorder.request(.unlimited)
    subject.send(6)
    #expect(recorder.values == [1, 2, 4, 5, 6])
  }

  @Test func demandReturnedForAValueCountsForWhatIsKept() {
    let subject = subject(4, sent: 1...4)
    let recorder = Recorder(initialDemand: .max(1)) { $0 == 1 ? .max(2) : .none }
    subject.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func requestsWithinAValueDoNotNest() {
    let subject = subject(.max, sent: 1...100_000)
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      recorder.request(.max(1))
      return .none
    }
    subject.subscribe(recorder)
    #expect(recorder.values.count == 100_000)
  }

  @Test func whoeverHasDemandGetsAllOfABatch() {
    let subject = subject(2)
    let (all, some) = (recorder(on: subject), recorder(on: subject, .max(3)))
    [1, 2, 3, 4, 5, 6].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    UnsafeBufferPointer<Int>(start: nil, count: 0).withMemoryRebound(to: Int.self) {
      subject.send(contentsOf: $0)
    }
    some.request(.unlimited)
    #expect(all.values == [1, 2, 3, 4, 5, 6])
    #expect(some.values == [1, 2, 3, 5, 6])
    #expect(recorder(on: subject).values == [5, 6])
  }

  // MARK: Ends

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())])
  func theCompletionComesAfterTheValues(_ completion: Subscribers.Completion<TestFailure>) {
    let subject = subject(2, sent: 1...3)
    let early = recorder(on: subject, .max(1))
    subject.send(completion: completion)
    subject.send(completion: .finished)
    subject.send(4)
    let (late, idle) = (recorder(on: subject), recorder(on: subject, .none))
    #expect(early.events == [.subscription("ReplaySubject"), .value(2)])
    early.request(.max(1))
    #expect(early.events.suffix(2) == [.value(3), .completion(completion)])
    #expect(late.values == [2, 3] && late.completions == [completion])
    idle.request(.max(1))
    #expect(idle.values == [2] && idle.completions.isEmpty)
    idle.request(.max(1))
    #expect(idle.values == [2, 3] && idle.completions == [completion])
  }

  @Test func withoutValuesTheCompletionNeedsNoDemand() {
    let subject = subject(2)
    let early = recorder(on: subject, .none)
    subject.send(completion: .finished)
    let late = recorder(on: subject, .none)
    #expect(early.completions == [.finished] && late.completions == [.finished])
  }

  @Test func whoCancelsAfterTheCompletionGetsNoMore() {
    let subject = subject(2, sent: 1...2)
    subject.send(completion: .finished)
    let recorder = recorder(on: subject, .max(1))
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(recorder.values == [1] && recorder.completions.isEmpty)
  }

  @Test func cancelsWithinAReplay() {
    let subject = subject(3, sent: 1...3)
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onValue = { [unowned recorder] in
      if $0 == 2 { recorder.cancel() }
      return .max(1)
    }
    subject.subscribe(recorder)
    subject.send(4)
    #expect(recorder.values == [1, 2])
  }

  // MARK: Re-entrance

  @Test func whatIsSentWithinAValueComesInOrderToEverybody() {
    let subject = subject(1)
    let first = Recorder { [unowned subject] in
      if $0 < 10 {
        subject.send($0 + 10)
        subject.send($0 + 20)
      }
      return .none
    }
    subject.subscribe(first)
    let second = recorder(on: subject)
    subject.send(1)
    #expect(first.values == [1, 11, 21])
    #expect(second.values == [1, 11, 21])
    #expect(recorder(on: subject).values == [21])
  }

  @Test func whatIsSentWithinAReplayComesAfterIt() {
    let subject = subject(3, sent: 1...3)
    let recorder = Recorder { [unowned subject] in
      if $0 == 1 { subject.send(4) }
      if $0 == 4 { subject.send(completion: .finished) }
      return .none
    }
    subject.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.completions == [.finished])
  }

  @Test func whatIsRequestedAndSentWithinAValueIsNotMissed() {
    let subject = subject(1)
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onValue = { [unowned recorder, unowned subject] in
      guard $0 == 1 else { return .none }
      subject.send(2)
      recorder.request(.max(1))
      subject.send(3)
      recorder.request(.max(1))
      return .none
    }
    subject.subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func subscribesWithinAValue() {
    let subject = subject(2, sent: 1...2)
    let inner = Recorder()
    let outer = Recorder { [unowned subject] in
      if $0 == 1 { subject.subscribe(inner) }
      return .none
    }
    subject.subscribe(outer)
    subject.send(3)
    #expect(inner.values == [1, 2, 3] && outer.values == [1, 2, 3])
  }

  @Test(arguments: 0...3) func whoSubscribesWithinAValueGetsWhatIsKept(_ size: Int) {
    let subject = subject(size, sent: 1...2)
    let (inner, idle) = (Recorder(), Recorder(initialDemand: .none))
    let outer = Recorder { [unowned subject] in
      if $0 == 3 { [inner, idle].forEach(subject.subscribe) }
      return .none
    }
    subject.subscribe(outer)
    subject.send(3)
    #expect(inner.values == Array([1, 2, 3].suffix(size)))
    subject.send(4)
    idle.request(.unlimited)
    #expect(inner.values == [1, 2, 3].suffix(size) + [4])
    #expect(idle.values == Array([1, 2, 3, 4].suffix(size)))
  }

  @Test func whoSubscribesWithinABatchGetsTheRestOfIt() {
    let (subject, inner) = (subject(2, sent: 1...2), Recorder())
    let outer = Recorder { [unowned subject] in
      if $0 == 4 { subject.subscribe(inner) }
      return .none
    }
    subject.subscribe(outer)
    [3, 4, 5, 6].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(inner.values == [3, 4, 5, 6])
  }

  @Test func whatIsSentInTheHandshakeOfWhoSubscribesWithinAValueComesAfterWhatIsKept() {
    let (subject, inner) = (subject(1, sent: 1...1), Recorder())
    inner.onSubscription = { [unowned subject] _ in subject.send(3) }
    let outer = Recorder { [unowned subject] in
      if $0 == 2 { subject.subscribe(inner) }
      return .none
    }
    subject.subscribe(outer)
    subject.send(2)
    #expect(outer.values == [1, 2, 3])
    #expect(inner.values == [3])
  }

  @Test func aReleaseMaySend() {
    let tracker = LifetimeTracker()
    let subject = ReplaySubject<LifetimeToken?, Never>(bufferSize: 1)
    var count = 0
    let cancellable = subject.sink { _ in count += 1 }
    subject.send(tracker.token(onRelease: { [unowned subject] in subject.send(nil) }))
    subject.send(nil)
    #expect(count == 3)
    cancellable.cancel()
  }

  // MARK: Upstreams and lifetimes

  @Test func demandsEverythingAtOnceAndCancelsInTheEnd() {
    let source = TestPublisher<Int, TestFailure>()
    var subject: Replay? = Replay(bufferSize: 1)
    let cancellable = source.subscribe(subject!)
    #expect(source.ledger.requests == [.unlimited])
    source.send(1)
    #expect(recorder(on: subject!, .max(1)).values == [1])
    subject = nil
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [0, 1, 100]) func keepsNoMoreValuesThanItsSize(_ size: Int) {
    let tracker = LifetimeTracker()
    do {
      let subject = ReplaySubject<LifetimeToken, Never>(bufferSize: size)
      let recorders = (0..<3).map { _ in RecordingSubscriber<LifetimeToken, Never>(initialDemand: .none) }
      recorders.forEach(subject.subscribe)
      for _ in 0..<1000 { subject.send(tracker.token()) }
      #expect(tracker.liveCount == size)
      recorders.forEach { $0.cancel() }
      subject.send(completion: .finished)
      #expect(tracker.liveCount == size)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test func aNegativeSizeTraps() async {
    await #expect(processExitsWith: .failure) { _ = ReplaySubject<Int, Never>(bufferSize: -1) }
  }
}
