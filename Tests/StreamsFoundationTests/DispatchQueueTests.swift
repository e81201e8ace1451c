import Dispatch
import Foundation
import StreamsDispatch
import Synchronization
import Testing

@Suite struct DispatchQueueTests {
  typealias Time = DispatchQueue.SchedulerTimeType
  typealias Stride = DispatchQueue.SchedulerTimeType.Stride

  private func time(_ nanoseconds: UInt64) -> Time { Time(DispatchTime(uptimeNanoseconds: nanoseconds)) }

  // MARK: Time

  @Test func distances() {
    #expect(time(100).distance(to: time(130)) == .nanoseconds(30))
    #expect(time(130).distance(to: time(100)) == .nanoseconds(-30))
    let never = Time(.distantFuture)
    #expect(time(100).distance(to: never) == .nanoseconds(.max))
    #expect(never.distance(to: time(100)) == .nanoseconds(.max))
    #expect(never.distance(to: never) == .nanoseconds(0))
  }

  @Test func advancing() {
    #expect(time(100).advanced(by: .nanoseconds(30)) == time(130))
    #expect(time(100).advanced(by: .nanoseconds(-30)) == time(70))
    #expect(time(100).advanced(by: .nanoseconds(.max)).dispatchTime == .distantFuture)
    #expect(time(100) < time(101))
  }

  @Test func lengths() {
    #expect((2 as Stride).magnitude == 2_000_000_000)
    #expect((1.5 as Stride).magnitude == 1_500_000_000)
    #expect(Stride(exactly: 3 as UInt8) == .seconds(3))
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride.milliseconds(3) > .microseconds(2999))
    #expect(Stride.seconds(2) - .milliseconds(1) == .milliseconds(1999))
    #expect(Stride.seconds(2) * .milliseconds(1500) == .seconds(3))
    #expect(Stride.nanoseconds(18) * .nanoseconds(3) == .nanoseconds(0))
    #expect(Stride.milliseconds(2).timeInterval == .nanoseconds(2_000_000))
  }

  @Test func lengthsSaturate() {
    #expect(Stride.seconds(Int.max).magnitude == .max)
    #expect(Stride.seconds(Int.min).magnitude == .min)
    #expect(Stride.seconds(1e12).magnitude == .max)
    #expect(Stride(.never).magnitude == .max)
    #expect((Stride.nanoseconds(.max) + .nanoseconds(1)).magnitude == .max)
  }

  @Test func aLengthWithoutEndTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = DispatchQueue.SchedulerTimeType.Stride.seconds(.infinity)
    }
  }

  @Test func coding() throws {
    let encoder = JSONEncoder()
    let stride = try encoder.encode([Stride.nanoseconds(42)])
    #expect(String(decoding: stride, as: UTF8.self) == #"[{"_nanoseconds":42}]"#)
    #expect(try JSONDecoder().decode([Stride].self, from: stride) == [.nanoseconds(42)])
    let moment = try encoder.encode([time(42)])
    #expect(String(decoding: moment, as: UTF8.self) == "[42]")
    #expect(try JSONDecoder().decode([Time].self, from: moment) == [time(42)])
  }

  // MARK: Scheduling

  @Test func runsActionsInOrderOnTheQueue() {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let group = DispatchGroup()
    let log = Mutex<[String]>([])
    queue.suspend()
    queue.schedule(options: .init(group: group)) {
      log.withLock { $0.append("one \(DispatchQueue.getSpecific(key: key) == true)") }
    }
    queue.schedule(options: .init(qos: .utility, group: group)) { log.withLock { $0.append("two") } }
    #expect(log.withLock { $0 } == [])
    queue.resume()
    group.wait()
    #expect(log.withLock { $0 } == ["one true", "two"])
  }

  @Test func runsAnActionLater() {
    let queue = DispatchQueue(label: "test")
    let group = DispatchGroup()
    let due = queue.now.advanced(by: .milliseconds(20))
    let ran = Mutex<DispatchQueue.SchedulerTimeType?>(nil)
    queue.schedule(after: due, tolerance: 0, options: .init(group: group)) {
      ran.withLock { $0 = queue.now }
    }
    group.wait()
    #expect(ran.withLock { $0! >= due })
  }

  @Test func repeatsAnActionUntilItIsCancelled() {
    let queue = DispatchQueue(label: "test")
    let done = DispatchSemaphore(value: 0)
    let count = Atomic(0)
    let cancellable = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
      if count.add(1, ordering: .relaxed).newValue == 5 { done.signal() }
    }
    #expect(cancellable is AnyCancellable)
    done.wait()
    cancellable.cancel()
    queue.sync {}
    let final = count.load(ordering: .relaxed)
    queue.sync {}
    #expect(count.load(ordering: .relaxed) == final)
  }

  /// The operators that need a scheduler, on real queues: signals arrive in order and on the right queue.
  @Test func operatorsRunOnQueues() {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let done = DispatchSemaphore(value: 0)
    let values = Mutex<[Int]>([])
    let cancellable = (1...100).publisher
      .subscribe(on: DispatchQueue.global())
      .receive(on: queue)
      .delay(for: .milliseconds(1), scheduler: queue)
      .timeout(.seconds(60), scheduler: queue)
      .sink(receiveCompletion: { _ in done.signal() }) { value in
        precondition(DispatchQueue.getSpecific(key: key) == true)
        values.withLock { $0.append(value) }
      }
    done.wait()
    withExtendedLifetime(cancellable) {}
    #expect(values.withLock { $0 } == Array(1...100))
  }

  @Test func aGroupHoldsADelayedActionUntilItHasRun() {
    let group = DispatchGroup()
    let isInside = Mutex<Bool?>(nil)
    let queue = DispatchQueue(label: "test")
    queue.schedule(after: queue.now, tolerance: 0, options: .init(group: group)) {
      isInside.withLock { $0 = group.wait(timeout: .now()) == .timedOut }
    }
    group.wait()
    #expect(isInside.withLock { $0 } == true)
  }

  @Test func secondsAreCutToNanosecondsAndToTheirRange() {
    #expect(Stride.seconds(1.9e-9).magnitude == 1)
    #expect(Stride.seconds(-1.9e-9).magnitude == -1)
    #expect(Stride.seconds(-1e12).magnitude == .min)
  }
}
