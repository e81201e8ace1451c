import Streams
import StreamsExtras
import StreamsSchedulers

/// An operator as the cases of the catalogue have it.
struct CaseOperator: @unchecked Sendable {
  let name: String
  /// Whether it is the form whose function may throw.
  let isFailing: Bool
  let apply: (Stream, Given) -> Stream
}

/// What a case says behind the name of an operator.
struct Given {
  let builder: Builder
  let arguments: [JSONValue]

  /// Whether the function can fail.
  var fails: Bool { arguments.last.map(Functions.fails) ?? false }

  var value: JSONValue { arguments[0] }
  var count: Int { arguments[0].int }
  var demand: Subscribers.Demand { arguments[0].demand }
  var text: String { arguments[0].string }
  var other: Stream { builder.chain(arguments[0]) }
  /// A length of virtual time.
  var time: VirtualTime.Stride { .nanoseconds(arguments[0].int) }
  var scheduler: VirtualTimeScheduler { builder.scheduler }
  /// Behind a length of time: a flag, or the failure that there is to be.
  var flag: Bool { arguments[1] == .bool(true) }
  var failure: (() -> CaseFailure)? {
    arguments.count > 1 ? { CaseFailure(message: arguments[1].string) } : nil
  }
  var backoff: Backoff {
    let parts = arguments[0].list
    return Backoff(
      retries: parts[0].int, delay: .nanoseconds(parts[1].int), factor: Double(parts[2].int),
      longestDelay: .nanoseconds(parts[3].int))
  }
  /// What is connectable, and multicast through the source of a name.
  var connections: Connections { builder.connections }
  func multicast(_ upstream: Stream) -> Stream {
    switch builder.sources[arguments[0].string]! {
    case .passthrough(let subject): connections.stream(upstream.multicast(subject: subject))
    case .current(let subject): connections.stream(upstream.multicast(subject: subject))
    case .replay(let subject): connections.stream(upstream.multicast(subject: subject))
    case .promise, .published: fatalError("nothing is sent through it")
    }
  }
  /// Behind the size of a buffer: how it asks, and what it does when it is full.
  var prefetch: Publishers.PrefetchStrategy { arguments[1] == "keep_full" ? .keepFull : .byRequest }
  var whenFull: Publishers.BufferingStrategy<CaseFailure> {
    arguments[2] == "drop_newest" ? .dropNewest : .dropOldest
  }
  func makeFailure() -> CaseFailure {
    CaseFailure(message: arguments.last! == "fail_again" ? "again" : arguments.last!.string)
  }
  var lines: Lines { Lines(builder.trace) }

  // The function is the last argument.
  func transform(_ value: JSONValue) throws -> JSONValue { try Functions.transform(arguments.last!, value) }
  func predicate(_ value: JSONValue) throws -> Bool { try Functions.predicate(arguments.last!, value) }
  func compare(_ previous: JSONValue, _ current: JSONValue) throws -> Bool {
    try Functions.compare(arguments.last!, previous, current)
  }
  func order(_ first: JSONValue, _ second: JSONValue) throws -> Bool {
    try Functions.order(arguments.last!, first, second)
  }
  func combine(_ result: JSONValue, _ value: JSONValue) throws -> JSONValue {
    try Functions.combine(arguments.last!, result, value)
  }

  /// The result of a transform that drops null.
  func compacting(_ value: JSONValue) throws -> JSONValue? {
    let result = try transform(value)
    return result == .null ? nil : result
  }

  func expand(_ value: JSONValue) throws -> Stream {
    switch arguments.last! {
    case "twice": builder.sequence([value, value])
    case "repeat": builder.sequence(Array(repeating: value, count: value.int))
    case "named": builder.source(value.string)
    case let name: builder.sequence([try Functions.transform(name, value)])
    }
  }

  /// What a function makes without a failure to recover from.
  var made: Stream {
    do {
      return try recover(CaseFailure(message: ""))
    } catch {
      return Fail(error: error as! CaseFailure).eraseToAnyPublisher()
    }
  }

  func rename(_ failure: CaseFailure) -> CaseFailure {
    switch arguments.last! {
    case "exclaim": CaseFailure(message: failure.message + "!")
    case "fail_again": CaseFailure(message: "again")
    case let name: fatalError("\(name) makes no failure of another")
    }
  }

  func isWorthwhile(_ failure: CaseFailure) throws(CaseFailure) -> Bool {
    guard arguments.count > 1 else { return true }
    switch arguments.last! {
    case "is_three": return failure.message == "three"
    case "fail_again": throw CaseFailure(message: "again")
    case let name: fatalError("\(name) decides on no failure")
    }
  }

  func recover(_ failure: CaseFailure) throws -> Stream {
    switch arguments.last! {
    case "resume": builder.sequence([.int(7), .int(8), .int(9)])
    case "named": builder.source(failure.message)
    case "fail_again": throw CaseFailure(message: "again")
    case let name: fatalError("\(name) is no recovery")
    }
  }
}

/// A coder whose results are those of the function.
extension Given: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> JSONValue { try transform(value as! JSONValue) }
  func decode<T: Decodable>(_ type: T.Type, from input: JSONValue) throws -> T { try transform(input) as! T }
}

extension JSONValue: Encodable {
  func encode(to encoder: any Encoder) throws { fatalError("a case has a coder of its own") }
}

extension Publisher where Output == JSONValue {
  /// The failures of operators that throw are the table's.
  func eraseToStream() -> Stream {
    if let stream = self as? any Publisher<JSONValue, CaseFailure> { return stream.erased() }
    return mapError { ($0 as? CaseFailure) ?? CaseFailure(message: String(describing: $0)) }
      .eraseToAnyPublisher()
  }
}

extension Publisher<JSONValue, CaseFailure> {
  fileprivate func erased() -> Stream { eraseToAnyPublisher() }
}
