import Testing

@testable import Streams
@testable import StreamsSchedulers
@testable import StreamsTesting

/// Operators with timers on every scheduler whose time is the real one. What is looked at is what comes, in which order,
/// and how many times; never when. The same cases are in C and in Python.
@Suite struct RealTimeTests {
  typealias Stride = MonotonicTime.Stride
  typealias Source = PassthroughSubject<Int, TestFailure>
  typealias Signals = AnyPublisher<String, TestFailure>

  enum Kind: CaseIterable {
    case loop, queue, poolQueue, own
  }

  /// What is sent: numbers, | or x for the end, and ~ to wait for another signal.
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var sent: String
    var expected: [String]

    init(_ name: String, _ sent: String, _ expected: String) {
      testDescription = name
      self.sent = sent
      self.expected = expected.split(separator: " ").map(String.init)
    }
  }

  static let cases = [
    Case("delay", "123|", "1 2 3 |"),
    Case("delay: a failure", "12x", "1 2 x"),
    Case("debounce", "1~2~|", "1 2 |"),
    Case("debounce: a finish drops what waits", "123|", "|"),
    Case("throttle: the latest", "1~2~|", "1 2 |"),
    Case("throttle: the first", "1~2~x", "1 2 x"),
    Case("timeout", "", "|"),
    Case("timeout: in time", "12|", "1 2 |"),
    Case("collect(.byTime)", "1~2~|", "[1] [2] |"),
    Case("collect(.byTime): a finish", "123|", "[1,2,3] |"),
    Case("collect(.byTimeOrCount)", "12345|", "[1,2] [3,4] [5] |"),
    Case("measureInterval", "12|", "+ + |"),
    Case("receive(on:)", "12345|", "1 2 3 4 5 |"),
    Case("receive(on:): a failure", "12x", "1 2 x"),
    Case("subscribe(on:)", "", "1 2 3 |"),
  ]

  private func build<Clock: MonotonicScheduler>(_ name: String, _ source: Source, _ clock: Clock) -> Signals {
    let (soon, long) = (Stride.milliseconds(1), Stride.seconds(100_000))
    let isLong = name.contains(": ")
    return switch name {
    case "debounce", "debounce: a finish drops what waits":
      texts(source.debounce(for: isLong ? long : soon, scheduler: clock))
    case "throttle: the latest": texts(source.throttle(for: soon, scheduler: clock, latest: true))
    case "throttle: the first": texts(source.throttle(for: soon, scheduler: clock, latest: false))
    case "timeout", "timeout: in time": texts(source.timeout(isLong ? long : soon, scheduler: clock))
    case "collect(.byTime)", "collect(.byTime): a finish":
      texts(source.collect(.byTime(clock, isLong ? long : soon)))
    case "collect(.byTimeOrCount)": texts(source.collect(.byTimeOrCount(clock, long, 2)))
    case "measureInterval":
      texts(source.measureInterval(using: clock).map { $0 >= .zero ? "+" : "-" })
    case "receive(on:)", "receive(on:): a failure": texts(source.receive(on: clock))
    case "subscribe(on:)":
      texts([1, 2, 3].publisher.setFailureType(to: TestFailure.self).subscribe(on: clock))
    default: texts(source.delay(for: soon, scheduler: clock))
    }
  }

  private func texts<P: Publisher>(_ publisher: P) -> Signals where P.Failure == TestFailure {
    publisher.map { "\($0)".filter { $0 != " " } }.eraseToAnyPublisher()
  }

  /// Takes the steps of a case, and lets time pass with `wait` where it has to.
  private func signals(_ each: Case, _ clock: some MonotonicScheduler, wait: () -> Void) -> [String] {
    let source = Source()
    let log = Locked<[String]>([])
    let cancellable = build(each.testDescription, source, clock).sink(
      receiveCompletion: { end in log.withLock { $0.append(end == .finished ? "|" : "x") } },
      receiveValue: { value in log.withLock { $0.append(value) } })
    func waitFor(_ count: Int) {
      _ = reached {
        wait()
        return log.withLock { $0.count } >= count
      }
    }
    var awaited = 0
    for step in each.sent {
      switch step {
      case "~":
        awaited += 1
        waitFor(awaited)
      case "|": source.send(completion: .finished)
      case "x": source.send(completion: .failure(TestFailure()))
      default: source.send(step.wholeNumberValue ?? 0)
      }
    }
    waitFor(each.expected.count)
    cancellable.cancel()
    return log.withLock { $0 }
  }

  @Test(arguments: cases, Kind.allCases)
  func whatComesInWhichOrder(_ each: Case, _ kind: Kind) throws {
    let found: [String]
    switch kind {
    case .loop:
      let loop = try EventLoop()
      found = signals(each, loop) { loop.runOnce(timeout: .milliseconds(1)) }
    case .queue: found = signals(each, try SerialQueue()) {}
    case .poolQueue: found = signals(each, try QueuePool(threads: 2).makeQueue()) {}
    case .own:
      let frames = Frames(now: .systemNow)
      found = signals(each, frames) { frames.advance(to: .systemNow) }
    }
    #expect(found == each.expected)
  }
}
