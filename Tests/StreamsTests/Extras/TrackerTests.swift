import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

/// The lines that trackers write.
private final class Log {
  private(set) var lines: [String] = []

  func write(_ line: String) { lines.append(line) }

  /// What has been written since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

@Suite struct TrackerTests {
  private let log = Log()

  @Test func whatIsDroppedHasALineAtThePlace() {
    let subject = Tracker(PassthroughSubject<Int, Never>(), "s", to: log.write)
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
    subject.tracked("t", to: log.write).subscribe(recorder)
    _ = log.take()
    subject.send(1)
    #expect(
      log.take() == [
        "> s: Subject send(_:) value: 1", "    - s: Subject drops values: 1", "< s: Subject send(_:)",
      ])
  }

  // MARK: A subject and a sink

  @Test func showsASubscriptionAValueAndACancellation() {
    let subject = Tracker(PassthroughSubject<String, Never>(), to: log.write)
    var received: [String] = []
    let cancellable = subject.sink { received.append($0) }
    #expect(
      log.take() == [
        "> Subject receive(subscriber:)",
        "    > Subscriber receive(subscription:)",
        "        - Subscription request(_:) demand: unlimited",
        "    < Subscriber receive(subscription:)",
        "< Subject receive(subscriber:)",
      ])
    subject.send("tap")
    #expect(
      log.take() == [
        "> Subject send(_:) value: tap",
        "    - Subscriber receive(_:) input: tap",
        "< Subject send(_:)",
      ])
    cancellable.cancel()
    #expect(
      log.take() == [
        "> Subscription cancel()",
        "    - Subscriber deinit",
        "< Subscription cancel()",
        "- Subscription deinit",
      ])
    subject.send("nobody hears")
    #expect(log.take() == ["- Subject send(_:) value: nobody hears"])
    #expect(received == ["tap"])
  }

  @Test func showsACompletion() {
    let subject = Tracker(PassthroughSubject<Int, TestFailure>(), "taps", to: log.write)
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(1))
    subject.subscribe(recorder)
    _ = log.take()
    subject.send(completion: .failure(TestFailure()))
    #expect(
      log.take().filter { !$0.contains("deinit") } == [
        "> taps: Subject send(completion:) completion: failure(\(TestFailure()))",
        "    - taps: Subscriber receive(completion:) completion: failure(\(TestFailure()))",
        "< taps: Subject send(completion:)",
      ])
    #expect(recorder.completions == [.failure(TestFailure())])
  }

  @Test func showsTheDemandThatAValueReturns() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(2)) { _ in .max(3) }
    upstream.tracked(to: log.write).subscribe(recorder)
    _ = log.take()
    #expect(upstream.send(7) == .max(3))
    #expect(log.take() == ["- Subscriber receive(_:) input: 7 demand: max(3)"])
  }

  @Test func passesALatestValueOn() {
    let subject = Tracker(CurrentValueSubject<Int, Never>(1), to: log.write)
    subject.value = 2
    #expect(log.take() == ["- Subject send(_:) value: 2"])
    #expect(subject.value == 2 && subject.target.value == 2)
  }

  @Test func takesAnUpstreamsSubscription() {
    let subject = Tracker(PassthroughSubject<Int, Never>(), to: log.write)
    let cancellable = [1].publisher.subscribe(subject)
    #expect(log.take() == ["- Subject send(subscription:)"])
    _ = cancellable
  }

  // MARK: Nesting

  @Test func trackersInAChainNest() {
    let cancellable = [7].publisher.tracked("a", to: log.write).map { $0 * 2 }.tracked("b", to: log.write)
      .sink {
        _ in
      }
    #expect(
      log.take() == [
        "> b: Publisher receive(subscriber:)",
        "    > a: Publisher receive(subscriber:)",
        "        > a: Subscriber receive(subscription:)",
        "            > b: Subscriber receive(subscription:)",
        "                > b: Subscription request(_:) demand: unlimited",
        "                    > a: Subscription request(_:) demand: unlimited",
        "                        > a: Subscriber receive(_:) input: 7",
        "                            - b: Subscriber receive(_:) input: 14",
        "                        < a: Subscriber receive(_:)",
        "                        > a: Subscriber receive(completion:) completion: finished",
        "                            - b: Subscriber receive(completion:) completion: finished",
        "                        < a: Subscriber receive(completion:)",
        "                    < a: Subscription request(_:)",
        "                < b: Subscription request(_:)",
        "                - b: Subscription deinit",
        "            < b: Subscriber receive(subscription:)",
        "            - a: Subscription deinit",
        "        < a: Subscriber receive(subscription:)",
        "        - a: Subscriber deinit",
        "    < a: Publisher receive(subscriber:)",
        "    - b: Subscriber deinit",
        "< b: Publisher receive(subscriber:)",
      ])
    cancellable.cancel()
  }

  @Test func whatIsNestedDeepSaysHowDeep() {
    var publisher = Just(1).eraseToAnyPublisher()
    for _ in 0..<40 { publisher = publisher.tracked(to: log.write).eraseToAnyPublisher() }
    publisher.subscribe(RecordingSubscriber(initialDemand: .none))
    let indent = String(repeating: " ", count: 32 * 4)
    #expect(log.lines[32] == "\(indent)> Publisher receive(subscriber:)")
    #expect(log.lines[33] == "\(indent)(33) > Publisher receive(subscriber:)")
  }

  @Test func whatAWriterDoesIsNotTracked() {
    let subject = PassthroughSubject<Int, Never>()
    var tracker: Tracker<Int, Never, PassthroughSubject<Int, Never>>?
    var received: [Int] = []
    tracker = Tracker(subject) { [log] line in
      log.write(line)
      if line.hasPrefix("> Subject send") { tracker?.send(2) }
    }
    let cancellable = tracker?.sink { received.append($0) }
    _ = log.take()
    tracker?.send(1)
    #expect(received == [2, 1])
    #expect(
      log.take() == [
        "> Subject send(_:) value: 1", "    - Subscriber receive(_:) input: 1", "< Subject send(_:)",
      ])
    _ = cancellable
    tracker = nil
  }

  @Test func aWriterMayEndTheStreamBeforeItHasBegun() {
    let upstream = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    // Three trackers, so that the first line is written while the first of them receives the subscription.
    upstream.tracked { _ in }.tracked { line in
      if line.hasSuffix("> Subscriber receive(subscription:)") { upstream.send(completion: .finished) }
    }.tracked { _ in }.subscribe(recorder)
    upstream.sendSubscription()
    #expect(recorder.subscriptions.count == 1 && recorder.completions == [.finished])
  }

  // MARK: What passes through

  @Test func aBatchEndsWithTheSubscription() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    upstream.tracked(to: log.write).handleEvents(receiveOutput: { if $0 == 2 { recorder.cancel() } })
      .subscribe(recorder)
    _ = log.take()
    upstream.send(batch: [1, 2, 3])
    #expect(log.take().filter { $0.contains("input") }.map { $0.suffix(1) } == ["1", "2"])
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func describesItselfAsWhatItStandsFor() {
    let upstream = PassthroughSubject<Int, Never>()
    var described = ""
    let cancellable = upstream.tracked(to: log.write)
      .handleEvents(receiveSubscription: { described = "\($0)" }).sink { _ in }
    #expect(described == "PassthroughSubject")
    _ = cancellable
  }

  @Test func keepsNothing() {
    let tracker = LifetimeTracker()
    do {
      let subject = PassthroughSubject<Int, Never>()
      let token = tracker.token()
      let cancellable = subject.map { value in
        token.keep()
        return value
      }.tracked(to: log.write).sink { _ in }
      subject.send(1)
      cancellable.cancel()
    }
    #expect(tracker.liveCount == 0)
    #expect(log.lines.filter { $0.hasSuffix("deinit") }.count == 2)
  }
}
