import Foundation
import StreamsFoundation
import Synchronization
import Testing

@Suite struct RunLoopTests {
  typealias Time = RunLoop.SchedulerTimeType
  typealias Stride = RunLoop.SchedulerTimeType.Stride

  @Test func time() throws {
    let now = Time(Date(timeIntervalSinceReferenceDate: 100))
    #expect(now.advanced(by: .seconds(2.5)).date.timeIntervalSinceReferenceDate == 102.5)
    #expect(now.advanced(by: 3).distance(to: now) == .seconds(-3))
    let data = try JSONEncoder().encode(now)
    #expect(String(decoding: data, as: UTF8.self) == #"{"date":100}"#)
    #expect(try JSONDecoder().decode(Time.self, from: data) == now)
  }

  @Test func lengths() throws {
    #expect((1.5 as Stride).magnitude == 1.5)
    #expect(Stride.milliseconds(2).timeInterval == 0.002)
    #expect(Stride.microseconds(2).timeInterval == 2e-6)
    #expect(Stride.nanoseconds(2).timeInterval == 2e-9)
    #expect(Stride.seconds(2) * .seconds(1.5) == 3)
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride(exactly: 7 as UInt8) == 7)
    let data = try JSONEncoder().encode(Stride.seconds(1.5))
    #expect(String(decoding: data, as: UTF8.self) == #"{"magnitude":1.5}"#)
  }

  @Test func runsActionsInOrderAlsoFromOtherThreads() {
    let log = Mutex<[Int]>([])
    onRunLoop { loop in
      let box = UncheckedBox(loop)
      loop.schedule { log.withLock { $0.append(1) } }
      loop.schedule { log.withLock { $0.append(2) } }
      #expect(log.withLock { $0 } == [])
      loop.schedule {
        Thread.detachNewThread { box.value.schedule { log.withLock { $0.append(3) } } }
      }
    } until: {
      log.withLock { $0.count } == 3
    }
    #expect(log.withLock { $0 } == [1, 2, 3])
  }

  /// Each action finds the loop asleep, or about to fall asleep.
  @Test func wakesALoopThatSleeps() {
    let loop = Mutex<UncheckedBox<RunLoop>?>(nil)
    let isReady = DispatchSemaphore(value: 0)
    let isDone = Atomic(false)
    let ran = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let current = RunLoop.current
      current.add(Timer(timeInterval: 1000, repeats: false) { _ in }, forMode: .default)
      loop.withLock { $0 = UncheckedBox(current) }
      isReady.signal()
      while !isDone.load(ordering: .acquiring) {
        _ = current.run(mode: .default, before: Date(timeIntervalSinceNow: 60))
      }
      ran.signal()
    }
    isReady.wait()
    let other = loop.withLock { $0! }
    for _ in 0..<20 {
      other.value.schedule { ran.signal() }
      guard ran.wait(timeout: .now() + 10) == .success else {
        Issue.record("the loop went on sleeping")
        return
      }
    }
    isDone.store(true, ordering: .releasing)
    other.value.schedule {}
    ran.wait()
  }

  @Test func runsAnActionLater() {
    let ran = Mutex<Date?>(nil)
    let due = Date(timeIntervalSinceNow: 0.02)
    onRunLoop { loop in
      loop.schedule(after: Time(due)) { ran.withLock { $0 = Date() } }
    } until: {
      ran.withLock { $0 } != nil
    }
    #expect(ran.withLock { $0! } >= due)
  }

  @Test func repeatsAnActionUntilItIsCancelled() {
    let count = Atomic(0)
    onRunLoop { loop in
      var cancellable: (any Cancellable)?
      cancellable = loop.schedule(after: loop.now, interval: 0.001) {
        if count.add(1, ordering: .relaxed).newValue == 3 { cancellable?.cancel() }
      }
    } until: {
      count.load(ordering: .relaxed) == 3
    }
    #expect(count.load(ordering: .relaxed) == 3)
  }
}
