import Glibc
import StreamsSchedulers
import StreamsTesting
import TestThreads
import Testing

@testable import Streams

/// Debounce where one timer serves many values.
@Suite struct DeadlineDebounceInnerTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  let clock = VirtualTimeScheduler()
  var scheduler: HandingOver { HandingOver(clock: clock, handover: .together) }

  @Test func setsOneTimerForManyValues() {
    let rig = Rig { $0.debounce(for: 1, scheduler: scheduler) }
    for value in 1...100 {
      rig.upstream.send(value)
      clock.advance(by: .milliseconds(5))
      #expect(clock.pendingCount == 1)
    }
    #expect(rig.recorder.values == [])
    clock.run()
    #expect(rig.recorder.values == [100])
    #expect(clock.now == .zero.advanced(by: .milliseconds(1495)))
    #expect(rig.requests == [.unlimited])
  }

  /// What Combine's way makes of the same at the same times.
  @Test(arguments: 0..<50) func doesWhatCombineDoes(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    let subject = PassthroughSubject<Int, TestFailure>()
    var logs: [[String]] = [[], []]
    let recorders = (0..<2).map { side in
      let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(1))
      recorder.onValue = { [clock] value in
        logs[side].append("\(value) at \(clock.now)")
        return value % 3 == 0 ? .max(2) : .none
      }
      return recorder
    }
    subject.debounce(for: .nanoseconds(10), scheduler: clock).subscribe(recorders[0])
    subject.debounce(for: .nanoseconds(10), scheduler: scheduler).subscribe(recorders[1])
    for value in 0..<60 {
      subject.send(value)
      clock.advance(by: .nanoseconds(Int(random.next() % 15)))
      if random.next() % 5 == 0 { for recorder in recorders { recorder.request(.max(1)) } }
    }
    if seed % 2 == 0 { subject.send(completion: .failure(TestFailure())) }
    clock.run()
    #expect(logs[0] == logs[1] && !logs[0].isEmpty)
    #expect(recorders[0].failure == recorders[1].failure)
  }

  @Test func cancellingTakesTheTimerBack() {
    let lifetimes = LifetimeTracker()
    let subject = PassthroughSubject<LifetimeToken, Never>()
    let cancellable = subject.debounce(for: 1, scheduler: scheduler).sink { _ in }
    subject.send(lifetimes.token())
    subject.send(lifetimes.token { subject.send(lifetimes.token()) })
    #expect(lifetimes.liveCount == 1 && clock.pendingCount == 1)
    cancellable.cancel()
    #expect(lifetimes.liveCount == 0 && clock.pendingCount == 0)
  }

  @Test func theEndTakesTheTimerBackAndIsScheduled() {
    let rig = Rig { $0.debounce(for: 1, scheduler: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    #expect(clock.pendingCount == 1 && rig.recorder.events.count == 1)
    clock.run()
    #expect(clock.now == .zero)
    #expect(rig.recorder.events == [.subscription("Debounce"), .completion(.finished)])
  }

  /// Values come on one thread while the loop runs on another: the last one always arrives.
  @Test func theLastValueArrivesWhateverTheThreads() throws {
    let loop = try EventLoop()
    let subject = PassthroughSubject<Int, Never>()
    var last = -1
    let cancellable = subject.debounce(for: .microseconds(20), scheduler: loop).sink { last = $0 }
    for round in 0..<300 {
      let sender = startThread {
        for value in 0...20 { subject.send(round * 100 + value) }
      }
      while last != round * 100 + 20 { loop.runOnce(timeout: .seconds(60)) }
      pthread_join(sender, nil)
    }
    cancellable.cancel()
    #expect(loop.pendingCount == 0)
  }
}
