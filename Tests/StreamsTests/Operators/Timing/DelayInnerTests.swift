import Glibc
import StreamsSchedulers
import StreamsTesting
import TestThreads
import Testing

@testable import Streams

/// `delay` where one timer serves many values.
@Suite struct DelayInnerTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  let clock = VirtualTimeScheduler()
  var together: HandingOver { HandingOver(clock: clock, handover: .together) }

  @Test func setsOneTimerForManyValues() {
    let rig = Rig(demand: .max(10), returning: .max(1)) { $0.delay(for: 1, scheduler: together) }
    for value in 1...4 {
      rig.upstream.send(value)
      clock.advance(by: .milliseconds(300))
      #expect(clock.pendingCount == 1)
    }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.values == [1] && rig.requests == [.max(10), .max(1)])
    clock.run()
    #expect(rig.recorder.values == [1, 2, 3, 4])
    #expect(rig.recorder.failure != nil && clock.now == .zero.advanced(by: .milliseconds(2200)))
  }

  /// What Combine's way makes of the same at the same times, also of what is sent from within a delivery.
  @Test(arguments: 0..<50) func doesWhatCombineDoes(_ seed: UInt64) {
    let logs =
      [log(of: seed) { $0.delay(for: .nanoseconds(10), scheduler: $1) }]
      + [
        log(of: seed) {
          $0.delay(for: .nanoseconds(10), scheduler: HandingOver(clock: $1, handover: .together))
        }
      ]
    #expect(logs[0] == logs[1] && !logs[0].isEmpty)
  }

  private func log<P: Publisher<Int, TestFailure>>(
    of seed: UInt64, _ delayed: (TestPublisher<Int, TestFailure>, VirtualTimeScheduler) -> P
  ) -> [String] {
    var random = SplitMix(state: seed)
    let clock = VirtualTimeScheduler()
    var log: [String] = []
    let rig = Rig(demand: .max(3)) { delayed($0, clock) }
    rig.recorder.onValue = { value in
      log.append("\(value) at \(clock.now)")
      if value % 5 == 0 { rig.upstream.send(value + 1001) }
      if value == 995 - Int(seed % 100) * 10 { rig.recorder.cancel() }
      return value % 3 == 0 ? .max(2) : .none
    }
    for value in 0..<60 {
      rig.upstream.send(seed % 2 == 0 ? value : value * 10 + 5)
      if random.next() % 3 > 0 { clock.advance(by: .nanoseconds(Int(random.next() % 15))) }
    }
    if seed % 3 == 0 { rig.upstream.send(completion: .failure(TestFailure())) }
    if seed % 4 == 0 { rig.recorder.cancel() }
    clock.run()
    log += rig.recorder.completions.map { "\($0) at \(clock.now)" }
    log.append("\(rig.cancelCount) cancelled")
    // What a stream returns that ends amid what is due together is not requested any more.
    let isOver = rig.cancelCount > 0 || !rig.recorder.completions.isEmpty
    return isOver ? log : log + ["\(rig.requests.reduce(.none, +)) requested"]
  }

  @Test(arguments: [Handover.together, .inBatches]) func cancellingTakesTheTimerBack(_ handover: Handover) {
    let lifetimes = LifetimeTracker()
    let subject = PassthroughSubject<LifetimeToken, Never>()
    let cancellable = subject.delay(for: 1, scheduler: HandingOver(clock: clock, handover: handover)).sink {
      _ in
    }
    subject.send(lifetimes.token())
    subject.send(lifetimes.token { subject.send(lifetimes.token()) })
    #expect(lifetimes.liveCount == 2 && clock.pendingCount == 1)
    cancellable.cancel()
    #expect(lifetimes.liveCount == 0 && clock.pendingCount == 0)
  }

  /// After the upstream's completion only where nobody would hear of it.
  @Test(arguments: [Handover.together, .inBatches]) func alsoThatOfTheEnd(_ handover: Handover) {
    let rig = Rig { $0.delay(for: 1, scheduler: HandingOver(clock: clock, handover: handover)) }
    rig.upstream.send(completion: .finished)
    rig.recorder.cancel()
    #expect(clock.pendingCount == (handover == .inBatches ? 0 : 1))
    clock.run()
    #expect(rig.recorder.completions == (handover == .inBatches ? [] : [.finished]))
  }

  @Test func sendsNothingAfterACancellationInTheMidst() {
    let rig = Rig { $0.delay(for: 1, scheduler: together) }
    rig.recorder.onValue = { value in
      if value == 2 { rig.recorder.cancel() }
      return .none
    }
    for value in 1...3 { rig.upstream.send(value) }
    clock.run()
    #expect(rig.recorder.values == [1, 2] && rig.cancelCount == 1)
  }

  @Test func aNestedRunOfTheSchedulerKeepsTheOrder() {
    let rig = Rig { $0.delay(for: 1, scheduler: together) }
    rig.recorder.onValue = { value in
      if value == 1 {
        rig.upstream.send(5)
        clock.advance(by: .milliseconds(700))
      }
      return .none
    }
    for value in 1...2 { rig.upstream.send(value) }
    clock.advance(by: .milliseconds(500))
    for value in 3...4 { rig.upstream.send(value) }
    clock.run()
    #expect(rig.recorder.values == [1, 2, 3, 4, 5])
  }

  @Test func requestsWithoutHoldingOthersUp() {
    let loop = clock
    let rig = Rig(demand: .max(2), returning: .max(1)) { $0.delay(for: 1, scheduler: together) }
    var isFirst = true
    rig.upstream.subscriptions[0].onRequest = { _ in
      guard isFirst else { return }
      isFirst = false
      #expect(isDoneElsewhere { loop.run() })
    }
    rig.upstream.send(1)
    clock.advance(by: .milliseconds(1))
    rig.upstream.send(2)
    clock.runNext()
    #expect(rig.recorder.values == [1, 2])
  }

  /// Values come on several threads while the loop runs, and subscriptions come and go.
  @Test func manyThreadsAreDelayedInOrder() throws {
    let (senders, each) = (4, 5_000)
    let loop = try EventLoop()
    let subject = PassthroughSubject<(sender: Int, number: Int), Never>()
    var next = Array(repeating: 0, count: senders)
    var count = 0
    var disorder = 0
    let cancellable = subject.delay(for: .microseconds(20), scheduler: loop).sink { value in
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
      others.append(subject.delay(for: .microseconds(50), scheduler: loop).sink { _ in })
      if others.count > 20 { others.removeAll() }
    }
    for thread in threads { pthread_join(thread, nil) }
    #expect(count == senders * each && disorder == 0)
    others.removeAll()
    cancellable.cancel()
    #expect(loop.pendingCount == 0)
  }
}
