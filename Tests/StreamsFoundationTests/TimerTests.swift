import Foundation
import StreamsFoundation
import StreamsTesting
import Synchronization
import Testing

@Suite struct TimerTests {
  @Test func timersTellEverySubscriberTheSameDates() {
    let first = Mutex<[Date]>([])
    let second = Mutex<[Date]>([])
    onRunLoop { loop in
      let timer = Timer.publish(every: 0.001, tolerance: 1, on: loop, in: .default)
      #expect(timer.tolerance == nil)
      let cancellables = [
        timer.prefix(3).sink { date in first.withLock { $0.append(date) } },
        timer.prefix(2).sink { date in second.withLock { $0.append(date) } },
      ]
      let connection = timer.connect()
      withExtendedLifetime(cancellables) {
        while first.withLock({ $0.count }) < 3 {
          _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
        }
      }
      connection.cancel()
    } until: {
      true
    }
    #expect(second.withLock { $0 } == Array(first.withLock { $0.prefix(2) }))
  }

  @Test func theFirstDateComesAfterOneInterval() {
    let passed = Mutex<TimeInterval?>(nil)
    onRunLoop { loop in
      let timer = Timer.publish(every: 0.1, on: loop, in: .default)
      let start = Date()
      let cancellable = timer.first().sink { date in passed.withLock { $0 = date.timeIntervalSince(start) } }
      let connection = timer.connect()
      while passed.withLock({ $0 == nil }) {
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      }
      connection.cancel()
      cancellable.cancel()
    } until: {
      true
    }
    // Run loops count on another clock than dates do.
    #expect(passed.withLock { $0! } > 0.09)
  }

  @Test(.timeLimit(.minutes(30)))
  func aConnectionThatIsLetGoIsNotCancelled() {
    let count = Atomic(0)
    onRunLoop { loop in
      let timer = Timer.publish(every: 0.001, on: loop, in: .default)
      let cancellable = timer.sink { _ in count.add(1, ordering: .relaxed) }
      #expect(!(timer.connect() is AnyCancellable))
      while count.load(ordering: .relaxed) < 3 {
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      }
      // Whoever is done cancels, and this stops them all.
      timer.connect().cancel()
      cancellable.cancel()
    } until: {
      true
    }
    #expect(count.load(ordering: .relaxed) >= 3)
  }

  @Test(.timeLimit(.minutes(30)), arguments: [0, 1])
  func autoconnectCountsWhoSubscribesWithinTheFirstSubscription(_ first: Int) {
    let count = Atomic(0)
    onRunLoop { loop in
      let timer = Timer.publish(every: 0.001, on: loop, in: .default).autoconnect()
      let recorders = (0..<2).map { _ in
        RecordingSubscriber<Date, Never> { _ in
          count.add(1, ordering: .relaxed)
          return .none
        }
      }
      recorders[0].onSubscription = { _ in timer.subscribe(recorders[1]) }
      timer.subscribe(recorders[0])
      recorders[first].cancel()
      count.store(0, ordering: .relaxed)
      while count.load(ordering: .relaxed) < 3 {
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      }
      recorders[1 - first].cancel()
    } until: {
      true
    }
    #expect(count.load(ordering: .relaxed) >= 3)
  }

  @Test func cancellingOneConnectionStopsBoth() {
    let count = Atomic(0)
    onRunLoop { loop in
      let timer = Timer.TimerPublisher(interval: 0.001, runLoop: loop, mode: .default)
      let cancellable = timer.sink { _ in count.add(1, ordering: .relaxed) }
      let connections = [timer.connect(), timer.connect()]
      while count.load(ordering: .relaxed) < 4 {
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      }
      connections[0].cancel()
      let final = count.load(ordering: .relaxed)
      _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      #expect(count.load(ordering: .relaxed) == final)
      cancellable.cancel()
    } until: {
      true
    }
  }

  @Test func sendsWhatIsDemanded() {
    let count = Atomic(0)
    onRunLoop { loop in
      let recorder = RecordingSubscriber<Date, Never>(initialDemand: .max(1))
      recorder.onValue = { [unowned recorder] _ in recorder.values.count == 1 ? .max(1) : .none }
      let timer = Timer.publish(every: 0.001, on: loop, in: .default)
      timer.subscribe(recorder)
      let cancellable = timer.sink { _ in count.add(1, ordering: .relaxed) }
      let connection = timer.connect()
      while count.load(ordering: .relaxed) < 4 {
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      }
      connection.cancel()
      cancellable.cancel()
      #expect(recorder.values.count == 2)
    } until: {
      true
    }
  }

  @Test func letsGoOfASubscriptionThatWasCancelled() {
    let timer = Timer.publish(every: 1, on: .main, in: .default)
    weak var subscription: AnyObject?
    do {
      let recorder = RecordingSubscriber<Date, Never>()
      timer.subscribe(recorder)
      subscription = recorder.subscriptions[0] as AnyObject
      #expect(subscription != nil)
      recorder.cancel()
    }
    #expect(subscription == nil)
    withExtendedLifetime(timer) {}
  }

  /// A timer that runs on another thread may fire while a new subscriber gets its subscription.
  @Test func sendsNothingBeforeTheSubscriptionIsThere() {
    let fired = DispatchSemaphore(value: 0)
    let made = DispatchSemaphore(value: 0)
    let timer = Mutex<UncheckedBox<Timer.TimerPublisher>?>(nil)
    let isDone = Atomic(false)
    let hasWaited = Atomic(false)
    let during = Atomic(-1)
    let after = Atomic(-1)
    let overlapCount = Atomic(-1)
    Thread.detachNewThread {
      made.wait()
      let publisher = timer.withLock { $0!.value }
      let recorder = RecordingSubscriber<Date, Never>()
      recorder.onSubscription = { subscription in
        subscription.request(.unlimited)
        // A firing that is sent to the subscriber as well waits until this returns, and no other comes meanwhile.
        let hasStopped = (0..<200).contains { _ in fired.wait(timeout: .now() + 0.05) == .timedOut }
        hasWaited.store(hasStopped, ordering: .relaxed)
        during.store(recorder.values.count, ordering: .relaxed)
      }
      publisher.subscribe(recorder)
      // The next but one firing comes when this one has been sent.
      while fired.wait(timeout: .now()) == .success {}
      for _ in 0..<3 { fired.wait() }
      recorder.cancel()
      after.store(recorder.values.count, ordering: .relaxed)
      overlapCount.store(recorder.overlapCount, ordering: .relaxed)
      isDone.store(true, ordering: .releasing)
    }
    onRunLoop { loop in
      let publisher = Timer.publish(every: 0.001, on: loop, in: .default)
      let cancellable = publisher.sink { _ in fired.signal() }
      let connection = publisher.connect()
      timer.withLock { $0 = UncheckedBox(publisher) }
      made.signal()
      while !isDone.load(ordering: .acquiring) {
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      }
      connection.cancel()
      cancellable.cancel()
    } until: {
      true
    }
    #expect(hasWaited.load(ordering: .relaxed) == true)
    #expect(during.load(ordering: .relaxed) == 0)
    #expect(after.load(ordering: .relaxed) > 0)
    #expect(overlapCount.load(ordering: .relaxed) == 0)
  }
}
