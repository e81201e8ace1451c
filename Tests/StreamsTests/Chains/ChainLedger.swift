import Glibc
import Synchronization

@testable import Streams

/// Who has sent and received what, and when.
final class ChainLedger: @unchecked Sendable {
  /// When something was done, on whichever thread: its begin and its end.
  struct Span {
    var begin: Int
    var end = Int.max

    func isBefore(_ other: Span) -> Bool { end < other.begin }
  }

  struct Sent {
    let number: Int
    let subject: Int
    let thread = pthread_self()
    /// The values that closures of operators were passing on then, on this thread.
    let passed: [Int]
    var span: Span
  }

  struct Subscriber {
    let chain: Int
    /// Whether it leaves by itself.
    let isVisitor: Bool
    let thread = pthread_self()
    var attaching: Span
    var cancelling: Span?
    var received: [(number: Int, time: Int)] = []
    var completions = 0
  }

  struct Records {
    var sent: [Sent] = []
    var subscribers: [Subscriber] = []
    /// The values that closures of operators are passing on, on each thread.
    var passed: [pthread_t: [Int]] = [:]
  }

  private let clock = Atomic(0)
  private let records = Lock(Records())

  private func now() -> Int { clock.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }

  /// Waits until another thread has done something, unless that is waiting too.
  func pause() {
    let begin = clock.load(ordering: .sequentiallyConsistent)
    for _ in 0..<300 where clock.load(ordering: .sequentiallyConsistent) < begin + 3 { sched_yield() }
  }

  /// Notes so many numbers that are sent to the subject now, and returns them.
  func beginSending(_ count: Int, to subject: Int) -> Range<Int> {
    let span = Span(begin: now())
    return records.withLock { records in
      let numbers = records.sent.count + 1..<records.sent.count + 1 + count
      let passed = records.passed[pthread_self()] ?? []
      records.sent += numbers.map { Sent(number: $0, subject: subject, passed: passed, span: span) }
      return numbers
    }
  }

  func endSending(_ numbers: Range<Int>) {
    let time = now()
    records.withLock { records in for number in numbers { records.sent[number - 1].span.end = time } }
  }

  /// Calls what a closure of an operator does that passes on a value.
  func pass(_ number: Int, _ body: () -> Void) {
    records.withLock { $0.passed[pthread_self(), default: []].append(number) }
    body()
    records.withLock { _ = $0.passed[pthread_self()]!.removeLast() }
  }

  func beginAttaching(to chain: Int, isVisitor: Bool = false) -> Int {
    let span = Span(begin: now())
    return records.withLock { records in
      records.subscribers.append(Subscriber(chain: chain, isVisitor: isVisitor, attaching: span))
      return records.subscribers.count - 1
    }
  }

  func endAttaching(_ subscriber: Int) {
    let time = now()
    records.withLock { $0.subscribers[subscriber].attaching.end = time }
  }

  func beginCancelling(_ subscriber: Int) {
    let span = Span(begin: now())
    records.withLock { $0.subscribers[subscriber].cancelling = span }
  }

  func endCancelling(_ subscriber: Int) {
    let time = now()
    records.withLock { $0.subscribers[subscriber].cancelling!.end = time }
  }

  func receive(_ number: Int, _ subscriber: Int) {
    let time = now()
    records.withLock { $0.subscribers[subscriber].received.append((number, time)) }
  }

  func complete(_ subscriber: Int) { records.withLock { $0.subscribers[subscriber].completions += 1 } }
}

// MARK: - What must be

extension ChainLedger.Records {
  /// When a subscriber is told whatever is sent: when it has subscribed, and whoever else was doing that to the same chain,
  /// or was being cancelled, so that there is a connection.
  fileprivate func whenAttached(_ subscriber: ChainLedger.Subscriber) -> Int {
    let spans = subscribers.filter { $0.chain == subscriber.chain }.flatMap { other in
      [other.attaching] + (other.cancelling.map { [$0] } ?? [])
    }
    return spans.filter { $0.begin < subscriber.attaching.end }.map(\.end).max()!
  }
}

extension ChainLedger {
  /// What is wrong with what a subscriber has received; nil if nothing is.
  func fault(of program: ChainProgram) -> String? {
    let records = records.withLock { $0 }
    for (index, subscriber) in records.subscribers.enumerated() {
      let judge = Judge(
        subscriber: subscriber, chain: program.chains[subscriber.chain], sent: records.sent,
        isAttached: records.whenAttached(subscriber), hasOneThread: program.hasOneThread)
      if let fault = judge.fault { return "subscriber \(index) of chain \(subscriber.chain) \(fault)" }
    }
    return nil
  }

  private struct Judge {
    let subscriber: Subscriber
    let chain: ChainProgram.Chain
    let sent: [Sent]
    let isAttached: Int
    let hasOneThread: Bool

    var fault: String? {
      let common = lost ?? lostAtFirst ?? (chain.replays ? nil : twice) ?? open
      // What one thread leaves to another is on its way when its sending has returned.
      return common ?? (hasOneThread ? late ?? (chain.replays ? nil : outOfOrder) : nil)
    }

    private var stays: Bool { subscriber.cancelling == nil && !subscriber.isVisitor }

    private func comesFrom(_ subject: Int) -> Bool {
      switch chain.source {
      case .subject(let own), .prefixed(let own, _): own == subject
      case .merged(let first, let second), .flattened(let first, let second):
        first == subject || second == subject
      }
    }

    /// Whoever is not cancelled gets whatever is sent after it has subscribed. While it does, it gets what another thread
    /// sends after a value that it has received.
    private var lost: String? {
      if !stays { return nil }
      let received = Set(subscriber.received.map(\.number))
      let lost = sent.first { value in
        comesFrom(value.subject) && (isAttached < value.span.begin || isReached(before: value))
          && !received.contains(value.number)
      }
      return lost.map { "has not received \($0): \(subscriber.received)" }
    }

    /// Whether it has received a value of the same array, or one that was sent before, while that was being sent: what is
    /// left to another thread may arrive in between. What a closure sends within its own subscription may be all that was
    /// demanded then: a `concatMap` that requests everything has demanded one value before.
    private func isReached(before value: Sent) -> Bool {
      if chain.replays || value.thread == subscriber.thread { return false }
      let first = subscriber.received.first { number, _ in
        sent.indices.contains(number - 1) && sent[number - 1].subject == value.subject
      }
      guard let (number, time) = first, number < value.number else { return false }
      let (span, thread) = (sent[number - 1].span, sent[number - 1].thread)
      if thread == subscriber.thread { return false }
      return time < span.end && (span.begin == value.span.begin || span.end < value.span.begin)
    }

    /// The values before a subject's.
    private var lostAtFirst: String? {
      guard case .prefixed(_, let count) = chain.source, stays, !chain.isShared else { return nil }
      let expected = ChainStage.prefix(count)
      let received = subscriber.received.map(\.number).filter(expected.contains)
      return received.elementsEqual(expected) ? nil : "has received \(received) of \(expected)"
    }

    /// Whoever subscribes while a connection is cancelled on another thread may get a value of both that and its own.
    private var twice: String? {
      let numbers = subscriber.received.map(\.number).filter { number in
        sent.indices.contains(number - 1) && (hasOneThread || isAttached < sent[number - 1].span.begin)
      }
      return Set(numbers).count == numbers.count ? nil : "has received a value twice: \(numbers)"
    }

    /// What was sent when the sending of another value to the same subject had returned comes after that, but for what the
    /// closure of an operator sends that is passing on the other value.
    private var outOfOrder: String? {
      let numbers = subscriber.received.map(\.number).filter { sent.indices.contains($0 - 1) }
      for (place, number) in numbers.enumerated() {
        let value = sent[number - 1]
        let overtaken = numbers.dropFirst(place + 1).first { later in
          sent[later - 1].subject == value.subject && sent[later - 1].span.isBefore(value.span)
            && !value.passed.contains(later)
        }
        if let overtaken { return "has received \(number) before \(overtaken): \(numbers)" }
      }
      return nil
    }

    private var open: String? {
      if !stays || subscriber.completions == 1 { return nil }
      return "has completed \(subscriber.completions) times"
    }

    private var late: String? {
      guard let cancelling = subscriber.cancelling, !subscriber.isVisitor else { return nil }
      let late = subscriber.received.first { cancelling.end < $0.time }
      return late.map { "has received \($0.number) after it was cancelled" }
    }
  }
}
