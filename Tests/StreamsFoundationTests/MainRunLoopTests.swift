import Foundation
import StreamsFoundation
import StreamsTesting
import Synchronization
import Testing

/// What `RunLoop.main` does where nobody runs it: Swift Testing's main function is asynchronous.
///
/// Where somebody does, `Tests/ImportCombine` says.
@Suite(.timeLimit(.minutes(30))) struct MainRunLoopTests {
  private let done = DispatchSemaphore(value: 0)

  /// Waits until somebody signals that it is done. Other tests may be busy on the main queue for long.
  private func isDone() -> Bool { done.wait(timeout: .now() + 240) == .success }

  @Test func runsActionsInOrderOnTheMainQueue() {
    let log = Mutex<[Int]>([])
    for number in 1...100 {
      RunLoop.main.schedule {
        dispatchPrecondition(condition: .onQueue(.main))
        log.withLock { $0.append(number) }
        if number == 100 { done.signal() }
      }
    }
    #expect(isDone())
    #expect(log.withLock { $0 } == Array(1...100))
  }

  @Test func runsWhatAnActionAdds() {
    let log = Mutex<[Int]>([])
    RunLoop.main.schedule {
      RunLoop.main.schedule {
        log.withLock { $0.append(2) }
        done.signal()
      }
      log.withLock { $0.append(1) }
    }
    #expect(isDone())
    #expect(log.withLock { $0 } == [1, 2])
  }

  @Test func actionsOfSeveralThreadsRunOnceEach() {
    let counts = Mutex([Int](repeating: 0, count: 4000))
    let sum = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<1000 {
        RunLoop.main.schedule {
          counts.withLock { $0[thread * 1000 + number] += 1 }
          if sum.add(1, ordering: .relaxed).newValue == 4000 { done.signal() }
        }
      }
    }
    #expect(isDone())
    #expect(counts.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test func runsAnActionLater() {
    let due = RunLoop.main.now.advanced(by: .milliseconds(20))
    let ran = Mutex<Date?>(nil)
    RunLoop.main.schedule(after: due) {
      dispatchPrecondition(condition: .onQueue(.main))
      ran.withLock { $0 = Date() }
      done.signal()
    }
    #expect(isDone())
    #expect(ran.withLock { $0.map { $0 >= due.date } } == true)
  }

  @Test func whatIsDueFirstRunsFirst() {
    let start = RunLoop.main.now.advanced(by: .milliseconds(100))
    let log = Mutex<[Int]>([])
    for number in (0..<20).map({ $0 * 7 % 20 }) {
      RunLoop.main.schedule(after: start.advanced(by: .milliseconds(number))) {
        log.withLock { $0.append(number) }
        if number == 19 { done.signal() }
      }
    }
    RunLoop.main.schedule { log.withLock { $0.append(-1) } }
    #expect(isDone())
    #expect(log.withLock { $0 } == Array(-1..<20))
  }

  @Test func repeatsAnActionUntilItIsCancelled() {
    let lifetimes = LifetimeTracker()
    let count = Atomic(0)
    var cancellable: (any Cancellable)? = RunLoop.main.schedule(after: RunLoop.main.now, interval: 0.001) {
      [token = lifetimes.token()] in
      token.keep()
      if count.add(1, ordering: .relaxed).newValue == 3 { done.signal() }
    }
    #expect(isDone())
    #expect(cancellable is AnyCancellable)
    cancellable = nil
    // What runs meanwhile is over when another action runs.
    RunLoop.main.schedule { done.signal() }
    #expect(isDone())
    let final = count.load(ordering: .relaxed)
    #expect(lifetimes.liveCount == 0)
    RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: 0.02)) { done.signal() }
    #expect(isDone())
    #expect(count.load(ordering: .relaxed) == final)
  }

  /// As a timer of Foundation's: what was missed while an action was busy is not made up for.
  @Test func aRepeatedActionDoesNotPileUp() throws {
    let starts = Mutex<[Date]>([])
    let beginning = Date()
    let cancellable = RunLoop.main.schedule(after: RunLoop.main.now, interval: 0.05) {
      let count = starts.withLock { starts in
        starts.append(Date())
        return starts.count
      }
      if count == 1 { Thread.sleep(forTimeInterval: 0.28) }
      if count == 3 { done.signal() }
    }
    #expect(isDone())
    cancellable.cancel()
    let times = starts.withLock { $0 }
    try #require(times.count >= 3)
    // The second is due at 0.3 s, the third at 0.35 s.
    #expect(times[2].timeIntervalSince(beginning) > 0.33)
  }

  @Test func anIntervalOfNothingLeavesTimeForOthers() {
    let count = Atomic(0)
    let cancellable = RunLoop.main.schedule(after: RunLoop.main.now, interval: 0) {
      if count.add(1, ordering: .relaxed).newValue == 5 { done.signal() }
    }
    #expect(isDone())
    RunLoop.main.schedule { done.signal() }
    #expect(isDone())
    cancellable.cancel()
  }

  @Test func aFarMomentIsNoTrap() {
    RunLoop.main.schedule(after: .init(.distantFuture)) {}
    RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .seconds(.infinity))) {}
    RunLoop.main.schedule(after: .init(.distantPast), interval: .seconds(.infinity)) { done.signal() }.store()
    #expect(isDone())
  }

  @Test @MainActor func operatorsRunOnTheMainActor() async {
    var values: [Int] = []
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.receive(on: RunLoop.main).debounce(
      for: .milliseconds(10), scheduler: RunLoop.main
    )
    .sink { values.append($0) }
    for value in 1...3 { subject.send(value) }
    // Each value has a turn of the loop of its own: where one takes long, the value before it is not replaced.
    while values.last != 3 { await Task.yield() }
    #expect(values == values.sorted())
    cancellable.cancel()
  }

  @Test(arguments: [RunLoop.Mode.default, .common])
  func timersFire(in mode: RunLoop.Mode) {
    let times = Mutex<[TimeInterval]>([])
    let start = Date()
    let timer = Timer.publish(every: 0.02, on: .main, in: mode)
    let cancellable = timer.sink { date in
      dispatchPrecondition(condition: .onQueue(.main))
      let count = times.withLock { times in
        times.append(date.timeIntervalSince(start))
        return times.count
      }
      if count == 3 { done.signal() }
    }
    let connection = timer.connect()
    #expect(isDone())
    connection.cancel()
    cancellable.cancel()
    let (first, last) = times.withLock { ($0.first ?? 0, $0.last ?? 0) }
    #expect(first > 0.015 && last > 0.055)
  }

  /// A mode of the program's own is somebody's who runs the loop in it.
  @Test func aTimerInAnotherModeWaitsForThat() {
    let count = Atomic(0)
    let cancellable = Timer.publish(every: 0.001, on: .main, in: RunLoop.Mode("own")).autoconnect()
      .sink { _ in count.add(1, ordering: .relaxed) }
    RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: 0.02)) { done.signal() }
    #expect(isDone())
    #expect(count.load(ordering: .relaxed) == 0)
    cancellable.cancel()
  }
}

extension Cancellable {
  /// Keeps what is scheduled for ever.
  fileprivate func store() { _ = Unmanaged.passRetained(AnyCancellable(self)) }
}
