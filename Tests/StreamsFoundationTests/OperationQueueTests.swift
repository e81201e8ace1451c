import Foundation
import StreamsFoundation
import Synchronization
import Testing

@Suite struct OperationQueueTests {
  @Test func timeIsNotTheRunLoops() throws {
    let now = OperationQueue.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 100))
    #expect(now.advanced(by: .seconds(2)).date.timeIntervalSinceReferenceDate == 102)
    let data = try JSONEncoder().encode([now.distance(to: now.advanced(by: 1.5))])
    #expect(String(decoding: data, as: UTF8.self) == #"[{"magnitude":1.5}]"#)
  }

  @Test func runsActions() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let log = Mutex<[Int]>([])
    for value in 1...3 { queue.schedule { log.withLock { $0.append(value) } } }
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.withLock { $0 } == [1, 2, 3])
  }

  @Test func runsAnActionLater() {
    let queue = OperationQueue()
    let due = queue.now.advanced(by: .milliseconds(20))
    let ran = Mutex<Date?>(nil)
    queue.schedule(after: due) { ran.withLock { $0 = Date() } }
    queue.waitUntilAllOperationsAreFinished()
    #expect(ran.withLock { $0 }.map { $0 >= due.date } == true)
  }

  @Test func repeatsAnActionUntilItIsCancelled() {
    let queue = OperationQueue()
    let done = DispatchSemaphore(value: 0)
    let count = Atomic(0)
    let cancellable = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
      if count.add(1, ordering: .relaxed).newValue == 3 { done.signal() }
    }
    #expect(cancellable is AnyCancellable)
    done.wait()
    cancellable.cancel()
    queue.waitUntilAllOperationsAreFinished()
    let final = count.load(ordering: .relaxed)
    queue.waitUntilAllOperationsAreFinished()
    #expect(count.load(ordering: .relaxed) == final)
  }

  @Test func cancelsTheOperationThatWaitsForItsTime() {
    let queue = OperationQueue()
    let cancellable = queue.schedule(after: queue.now.advanced(by: 60), interval: 60) {}
    #expect(queue.operations.count == 1)
    cancellable.cancel()
    #expect(queue.operations.allSatisfy { $0.isCancelled })
  }
}
