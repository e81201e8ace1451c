import Glibc
import Streams
import StreamsCallbacks
import StreamsTesting
import Synchronization
import Testing

@Suite struct EmitterTests {
  typealias Sut = Emitter<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  /// A source that writes down what it is asked for and sends what the test says.
  final class Source {
    var asked: [Subscribers.Demand] = []
    var closeCount = 0
    var produce: (Sut, Subscribers.Demand) -> TestFailure? = { _, _ in nil }

    func start(_ emitter: Sut) {
      emitter.start(
        Sut.Source(
          produce: { [self] emitter, demand in
            asked.append(demand)
            return produce(emitter, demand)
          }, close: { [self] in closeCount += 1 }))
    }
  }

  private func send(_ values: [Int], to emitter: Sut) -> Sut.Outcome {
    values.withUnsafeBufferPointer { emitter.send($0) }
  }

  @Test func asksForTheDemandThatIsOpen() {
    let recorder = Recorder(initialDemand: .max(3))
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    source.start(emitter)
    #expect(source.asked == [.max(3)])
    #expect(send([1, 2], to: emitter) == .sent(2))
    #expect(emitter.demand == .max(1))
    recorder.request(.max(2))
    #expect(source.asked == [.max(3), .max(3)])
    #expect(recorder.events == [.subscription("Emitter"), .value(1), .value(2)])
  }

  @Test func sendsNoMoreThanIsDemanded() {
    let recorder = Recorder(initialDemand: .max(1)) { $0 == 1 ? .max(1) : .none }
    let emitter = Sut(subscriber: recorder)
    Source().start(emitter)
    #expect(send([1, 2, 3, 4], to: emitter) == .demandExceeded(after: 2))
    #expect(recorder.values == [1, 2])
    #expect(recorder.overdrawn == 0)
  }

  @Test func asksInALoopNotRecursively() {
    let recorder = Recorder(initialDemand: .max(1)) { _ in .max(1) }
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    var (depth, count) = (0, 0)
    source.produce = { emitter, _ in
      depth += 1
      defer { depth -= 1 }
      #expect(depth == 1)
      if count == 10_000 { return TestFailure() }
      #expect(send([count], to: emitter) == .sent(1))
      count += 1
      return nil
    }
    source.start(emitter)
    #expect(recorder.values == Array(0..<10_000))
    #expect(recorder.completions == [.failure(TestFailure())])
    #expect(source.closeCount == 1)
  }

  @Test func theEndIsFinal() {
    let recorder = Recorder()
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    source.start(emitter)
    #expect(emitter.send(completion: .finished))
    #expect(!emitter.send(completion: .finished))
    #expect(!emitter.isOpen)
    #expect(emitter.demand == .none)
    #expect(send([1], to: emitter) == .terminated(after: 0))
    #expect(!emitter.wake())
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Emitter"), .completion(.finished)])
    #expect(source.closeCount == 1)
  }

  @Test func anEndBeforeTheSubscriptionWaitsForIt() {
    let recorder = Recorder()
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    #expect(emitter.send(completion: .failure(TestFailure())))
    #expect(recorder.events.isEmpty)
    source.start(emitter)
    #expect(recorder.events == [.subscription("Emitter"), .completion(.failure(TestFailure()))])
    #expect(source.asked.isEmpty)
    #expect(source.closeCount == 1)
  }

  @Test func cancellingClosesTheSourceOnce() {
    let recorder = Recorder(initialDemand: .max(9))
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    recorder.onValue = { _ in
      recorder.cancel()
      return .max(1)
    }
    source.start(emitter)
    #expect(send([1, 2], to: emitter) == .sent(2))
    recorder.cancel()
    #expect(recorder.values == [1])
    #expect(!emitter.isOpen)
    #expect(send([3], to: emitter) == .terminated(after: 0))
    #expect(!emitter.send(completion: .finished))
    #expect(source.closeCount == 1)
    #expect(recorder.completions.isEmpty)
  }

  @Test func aSourceThatIsWokenIsAskedAgain() {
    let recorder = Recorder(initialDemand: .max(2))
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    source.start(emitter)
    #expect(emitter.wake())
    #expect(source.asked == [.max(2), .max(2)])
    #expect(send([1, 2], to: emitter) == .sent(2))
    #expect(emitter.wake())
    #expect(source.asked.count == 2)
  }

  @Test func aValueSentWithinADeliveryComesAfterIt() {
    let recorder = Recorder()
    let emitter = Sut(subscriber: recorder)
    var isDelivering = false
    recorder.onValue = { value in
      #expect(!isDelivering)
      isDelivering = true
      defer { isDelivering = false }
      if value == 1 { #expect(send([2], to: emitter) == .sent(1)) }
      return .none
    }
    Source().start(emitter)
    _ = send([1], to: emitter)
    #expect(recorder.values == [1, 2])
  }

  @Test func aCancellationDropsValuesThatWaitForTheirTurn() {
    let recorder = Recorder()
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    source.start(emitter)
    recorder.onValue = { [unowned recorder] value in
      if value == 1 {
        #expect(self.send([2], to: emitter) == .sent(1))
        recorder.cancel()
      }
      return .none
    }
    _ = send([1], to: emitter)
    #expect(recorder.values == [1])
  }

  @Test func aCompletionWithinADeliveryComesAfterIt() {
    let recorder = Recorder()
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    source.start(emitter)
    recorder.onValue = { [unowned recorder] _ in
      #expect(emitter.send(completion: .finished))
      #expect(recorder.completions.isEmpty)
      #expect(source.closeCount == 0)
      return .none
    }
    _ = send([1], to: emitter)
    #expect(recorder.completions == [.finished])
    #expect(source.closeCount == 1)
  }

  @Test func aSourceIsNotClosedWhileItProduces() {
    let recorder = Recorder()
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    source.produce = { emitter, _ in
      _ = emitter.send(completion: .finished)
      #expect(source.closeCount == 0)
      return nil
    }
    source.start(emitter)
    #expect(recorder.completions == [.finished])
    #expect(source.closeCount == 1)
  }

  @Test func releasesSourceAndSubscriberAtTheEnd() {
    for cancels in [true, false] {
      let lifetimes = LifetimeTracker()
      let emitter: Sut
      do {
        let (inSource, inSubscriber) = (lifetimes.token(), lifetimes.token())
        let recorder = Recorder()
        recorder.onCompletion = { _ in inSubscriber.keep() }
        emitter = Sut(subscriber: recorder)
        emitter.start(Sut.Source(produce: { _, _ in nil }, close: { inSource.keep() }))
        recorder.forgetSubscriptions()
      }
      #expect(lifetimes.liveCount == 2)
      if cancels { emitter.cancel() } else { _ = emitter.send(completion: .finished) }
      #expect(lifetimes.liveCount == 0)
    }
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<100 {
      let recorder = Recorder(initialDemand: .max(10)) { $0 % 2 == 0 ? .max(1) : .none }
      let (emitter, source) = (Sut(subscriber: recorder), Source())
      source.start(emitter)
      race(
        { for value in 0..<40 { _ = send([value], to: emitter) } },
        { for value in 40..<80 { _ = send([value], to: emitter) } },
        {
          for _ in 0..<10 { recorder.request(.max(1)) }
          recorder.cancel()
        })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.overdrawn == 0)
      #expect(source.closeCount == 1)
      let count = recorder.events.count
      _ = send([1], to: emitter)
      #expect(recorder.events.count == count)
    }
  }

  /// What is taken is delivered, whatever the other thread does meanwhile.
  @Test func aFinishDuringTheSubscriptionOvertakesNothingThatWasTaken() {
    for _ in 0..<100 {
      let recorder = Recorder(initialDemand: .none)
      let emitter = Sut(subscriber: recorder)
      let isSending = Atomic(false)
      var taken = 0
      recorder.onSubscription = { [unowned recorder] _ in
        recorder.request(.unlimited)
        isSending.store(true, ordering: .releasing)
        for _ in 0..<50 { sched_yield() }
        #expect(emitter.send(completion: .finished))
      }
      race(
        { Source().start(emitter) },
        {
          while !isSending.load(ordering: .acquiring) { sched_yield() }
          if case .sent(let count) = send(Array(0..<2_000), to: emitter) { taken = count }
        })
      #expect(recorder.values.count == taken)
      #expect(recorder.completions == [.finished])
    }
  }

  /// An error whose release comes back to the emitter.
  @Test func anErrorThatIsNotSentIsReleasedOutsideOfTheLock() {
    final class Failure: Error {
      nonisolated(unsafe) let onRelease: () -> Void
      init(onRelease: @escaping () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    let recorder = RecordingSubscriber<Int, Failure>()
    recorder.onSubscription = { $0.cancel() }
    let emitter = Emitter<Int, Failure>(subscriber: recorder)
    var isOpen: Bool?
    let failure = Failure { [unowned emitter] in isOpen = emitter.isOpen }
    #expect(emitter.send(completion: .failure(consume failure)))
    emitter.start(Emitter.Source(produce: { _, _ in nil }, close: {}))
    #expect(isOpen == false)
    #expect(recorder.completions.isEmpty)
  }

  /// Two threads that wait for each other's turn: one leaves its value to the other, which asks for what is returned.
  @Test func demandThatIsReturnedForAValueLeftToAnotherThreadIsAskedFor() {
    let recorder = Recorder(initialDemand: .max(2)) { _ in .max(1) }
    let (emitter, source) = (Sut(subscriber: recorder), Source())
    source.start(emitter)
    cross(
      { meet in
        recorder.onValue = { value in
          if value == 1 { meet() }
          return .max(1)
        }
        _ = send([1], to: emitter)
      }, { #expect(send([2], to: emitter) == .sent(1)) })
    #expect(recorder.values == [1, 2])
    #expect(emitter.demand == .max(2))
    #expect(source.asked.last == .max(2))
  }
}
