import Glibc
import StreamsSchedulers
import StreamsTesting
import TestThreads
import Testing

@testable import Streams

/// `receive(on:)` where an action delivers all that has come.
@Suite struct HandoverInnerTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  let clock = VirtualTimeScheduler()
  var together: HandingOver { HandingOver(clock: clock, handover: .together) }

  @Test(arguments: [Handover.together, .inBatches]) func oneActionDeliversAllThatHasCome(_ handover: Handover)
  {
    let rig = Rig(demand: .max(10), returning: .max(1)) {
      $0.receive(on: HandingOver(clock: clock, handover: handover))
    }
    #expect(rig.recorder.events == [.subscription("ReceiveOn")])
    rig.upstream.send(1)
    rig.upstream.send(batch: [2, 3])
    #expect(clock.pendingCount == 1)
    clock.run()
    #expect(rig.recorder.values == [1, 2, 3])
    #expect(rig.recorder.batchSizes == (handover == .inBatches ? [3] : [1, 1, 1]))
    #expect(rig.requests == [.max(10), .max(3)])
    rig.upstream.send(4)
    rig.upstream.send(completion: .finished)
    #expect(clock.pendingCount == 1)
    clock.run()
    #expect(rig.recorder.values == [1, 2, 3, 4])
    #expect(rig.recorder.events.last == .completion(.finished))
  }

  @Test func sendsNothingAfterACancellationInTheMidst() {
    let rig = Rig { $0.receive(on: together) }
    rig.recorder.onValue = { value in
      if value == 2 { rig.recorder.cancel() }
      return .none
    }
    rig.upstream.send(batch: [1, 2, 3])
    clock.run()
    #expect(rig.recorder.values == [1, 2])
    #expect(rig.cancelCount == 1)
  }

  @Test func deliversWhatIsUnderWayAfterTheCompletion() {
    let rig = Rig { $0.receive(on: together) }
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .none
    }
    rig.upstream.send(batch: [1, 2])
    rig.upstream.send(completion: .finished)
    clock.run()
    #expect(
      rig.recorder.events == [.subscription("ReceiveOn"), .value(1), .value(2), .completion(.finished)])
    #expect(rig.cancelCount == 0)
  }

  @Test func aNestedRunOfTheSchedulerKeepsTheOrder() {
    let rig = Rig { $0.receive(on: together) }
    rig.recorder.onValue = { value in
      if value == 1 {
        rig.upstream.send(4)
        clock.run()
      }
      return .none
    }
    rig.upstream.send(batch: [1, 2, 3])
    clock.run()
    #expect(rig.recorder.values == [1, 2, 3, 4])
  }

  @Test func valuesAreReleasedOutsideOfTheTurn() {
    let lifetimes = LifetimeTracker()
    let subject = PassthroughSubject<LifetimeToken, Never>()
    var count = 0
    let cancellable = subject.receive(on: together).sink { _ in count += 1 }
    // A release that sends: it finds the stream free.
    subject.send(lifetimes.token { if count < 10 { subject.send(lifetimes.token()) } })
    clock.run()
    #expect(count == 2 && lifetimes.liveCount == 0)
    cancellable.cancel()
  }

  /// Eight senders, one loop, and subscriptions that come and go.
  @Test func manyThreadsHandOverToALoopInOrder() throws {
    let (senders, each) = (8, 20_000)
    let loop = try EventLoop()
    let subject = PassthroughSubject<(sender: Int, number: Int), Never>()
    var next = Array(repeating: 0, count: senders)
    var count = 0
    var disorder = 0
    let cancellable = subject.receive(on: loop).sink { value in
      if value.number != next[value.sender] { disorder += 1 }
      next[value.sender] += 1
      count += 1
    }
    let threads = (0..<senders).map { sender in
      startThread {
        for number in 0..<each { subject.send((sender, number)) }
      }
    }
    var others: [AnyCancellable] = []
    while count < senders * each {
      loop.runOnce(timeout: .seconds(60))
      others.append(subject.receive(on: loop).sink { _ in })
      if others.count > 20 { others.removeAll() }
    }
    for thread in threads { pthread_join(thread, nil) }
    loop.runOnce()
    #expect(count == senders * each && disorder == 0)
    cancellable.cancel()
  }
}
