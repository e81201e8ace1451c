import Streams

typealias Stream = AnyPublisher<JSONValue, CaseFailure>

/// A subject of the table.
enum Source {
  case passthrough(PassthroughSubject<JSONValue, CaseFailure>)
  case current(CurrentValueSubject<JSONValue, CaseFailure>)

  init(_ description: JSONValue) {
    self = description == "passthrough" ? .passthrough(.init()) : .current(.init(description.list[1]))
  }

  var publisher: Stream {
    switch self {
    case .passthrough(let subject): subject.eraseToAnyPublisher()
    case .current(let subject): subject.eraseToAnyPublisher()
    }
  }

  func send(_ value: JSONValue) {
    switch self {
    case .passthrough(let subject): subject.send(value)
    case .current(let subject): subject.send(value)
    }
  }

  func send(batch values: [JSONValue]) {
    values.withUnsafeBufferPointer { batch in
      switch self {
      case .passthrough(let subject): subject.send(contentsOf: batch)
      case .current(let subject): subject.send(contentsOf: batch)
      }
    }
  }

  func complete(_ completion: Subscribers.Completion<CaseFailure>) {
    switch self {
    case .passthrough(let subject): subject.send(completion: completion)
    case .current(let subject): subject.send(completion: completion)
    }
  }

  func set(_ value: JSONValue) {
    guard case .current(let subject) = self else { fatalError("only a current-value subject can be set") }
    subject.value = value
  }
}

/// Builds the publishers that the table describes.
struct Builder {
  let sources: [String: Source]
  let trace: Trace

  func chain(_ description: JSONValue) -> Stream {
    let parts = description.list
    return parts.dropFirst().reduce(head(parts[0])) { operated($0, by: $1.list) }
  }

  private func source(_ name: String) -> Stream {
    guard let source = sources[name] else { fatalError("there is no source \(name)") }
    return source.publisher
  }

  private func head(_ description: JSONValue) -> Stream {
    if case .string(let name) = description { return source(name) }
    let parts = description.list
    switch parts[0] {
    case "just": return Just(parts[1]).setFailureType(to: CaseFailure.self).eraseToAnyPublisher()
    case "empty": return Empty(completeImmediately: parts.count == 1).eraseToAnyPublisher()
    case "fail": return Fail(error: CaseFailure(message: parts[1].string)).eraseToAnyPublisher()
    case "sequence": return sequence(parts[1].list)
    case "generate": return sequence((1...parts[1].int).map(JSONValue.int))
    default: return combined(parts[0], parts.dropFirst().map(chain))
    }
  }

  private func sequence(_ values: [JSONValue]) -> Stream {
    Publishers.Sequence<[JSONValue], CaseFailure>(sequence: values).eraseToAnyPublisher()
  }

  private func combined(_ name: JSONValue, _ all: [Stream]) -> Stream {
    switch (name, all.count) {
    case ("merge", _): return Publishers.MergeMany(all).eraseToAnyPublisher()
    case ("zip", 2):
      return all[0].zip(all[1]) { .list([$0, $1]) }.eraseToAnyPublisher()
    case ("zip", 3):
      return all[0].zip(all[1], all[2]) { .list([$0, $1, $2]) }.eraseToAnyPublisher()
    case ("combine_latest", 2):
      return all[0].combineLatest(all[1]) { .list([$0, $1]) }.eraseToAnyPublisher()
    case ("combine_latest", 3):
      return all[0].combineLatest(all[1], all[2]) { .list([$0, $1, $2]) }.eraseToAnyPublisher()
    default: fatalError("there is no \(name) of \(all.count)")
    }
  }

  private func operated(_ upstream: Stream, by parts: [JSONValue]) -> Stream {
    switch parts[0] {
    case "map": return map(upstream, parts[1])
    case "compact_map": return compactMap(upstream, parts[1])
    case "filter": return filter(upstream, parts[1])
    case "remove_duplicates": return upstream.removeDuplicates().eraseToAnyPublisher()
    case "remove_duplicates_by": return removeDuplicates(upstream, parts[1])
    case "scan": return scan(upstream, parts[1], parts[2])
    case "reduce": return reduce(upstream, parts[1], parts[2])
    case "collect": return upstream.collect().map(JSONValue.list).eraseToAnyPublisher()
    case "collect_count": return upstream.collect(parts[1].int).map(JSONValue.list).eraseToAnyPublisher()
    case "prefix": return upstream.prefix(parts[1].int).eraseToAnyPublisher()
    case "drop_first": return upstream.dropFirst(parts[1].int).eraseToAnyPublisher()
    case "flat_map": return flatMap(upstream, parts[1].demand, parts[2])
    case "catch": return recover(upstream, parts[1])
    case "probe": return probe(upstream, parts[1].string)
    case "print": return upstream.print(parts[1].string, to: Lines(trace)).eraseToAnyPublisher()
    default: fatalError("there is no operator \(parts[0])")
    }
  }

  private func map(_ upstream: Stream, _ name: JSONValue) -> Stream {
    let function = { try Functions.transform(name, $0) }
    return Functions.fails(name)
      ? upstream.tryMap(function).failing() : upstream.map(total(function)).eraseToAnyPublisher()
  }

  private func compactMap(_ upstream: Stream, _ name: JSONValue) -> Stream {
    let function = { value in
      let result = try Functions.transform(name, value)
      return result == .null ? nil : result
    }
    return Functions.fails(name)
      ? upstream.tryCompactMap(function).failing()
      : upstream.compactMap(total(function)).eraseToAnyPublisher()
  }

  private func filter(_ upstream: Stream, _ name: JSONValue) -> Stream {
    let function = { try Functions.predicate(name, $0) }
    return Functions.fails(name)
      ? upstream.tryFilter(function).failing() : upstream.filter(total(function)).eraseToAnyPublisher()
  }

  private func removeDuplicates(_ upstream: Stream, _ name: JSONValue) -> Stream {
    let function = { try Functions.compare(name, $0, $1) }
    return Functions.fails(name)
      ? upstream.tryRemoveDuplicates(by: function).failing()
      : upstream.removeDuplicates(by: total(function)).eraseToAnyPublisher()
  }

  private func scan(_ upstream: Stream, _ initial: JSONValue, _ name: JSONValue) -> Stream {
    let function = { try Functions.combine(name, $0, $1) }
    return Functions.fails(name)
      ? upstream.tryScan(initial, function).failing()
      : upstream.scan(initial, total(function)).eraseToAnyPublisher()
  }

  private func reduce(_ upstream: Stream, _ initial: JSONValue, _ name: JSONValue) -> Stream {
    let function = { try Functions.combine(name, $0, $1) }
    return Functions.fails(name)
      ? upstream.tryReduce(initial, function).failing()
      : upstream.reduce(initial, total(function)).eraseToAnyPublisher()
  }

  /// Combine has no flatMap that throws; a mapping that fails before it is the same.
  private func flatMap(_ upstream: Stream, _ max: Subscribers.Demand, _ name: JSONValue) -> Stream {
    let expand = { (value: JSONValue) -> Stream in
      switch name {
      case "twice": sequence([value, value])
      case "repeat": sequence(Array(repeating: value, count: value.int))
      case "named": source(value.string)
      case "fail_on_3": head(["just", value])
      default: fatalError("\(name) is no expansion")
      }
    }
    let checked = Functions.fails(name) ? map(upstream, name) : upstream
    return checked.flatMap(maxPublishers: max, expand).eraseToAnyPublisher()
  }

  private func recover(_ upstream: Stream, _ name: JSONValue) -> Stream {
    let handler = { (failure: CaseFailure) -> Stream in
      switch name {
      case "resume": return sequence([.int(7), .int(8), .int(9)])
      case "named": return source(failure.message)
      case "fail_again": throw CaseFailure(message: "again")
      default: fatalError("\(name) is no recovery")
      }
    }
    return Functions.fails(name)
      ? upstream.tryCatch(handler).failing() : upstream.catch(total(handler)).eraseToAnyPublisher()
  }

  private func probe(_ upstream: Stream, _ name: String) -> Stream {
    let name = JSONValue.string(name)
    return upstream.handleEvents(
      receiveSubscription: { _ in trace.add([name, "subscription"]) },
      receiveOutput: { trace.add([name, "value", $0]) },
      receiveCompletion: { trace.add(.list([name] + $0.event.list)) },
      receiveCancel: { trace.add([name, "cancel"]) },
      receiveRequest: { trace.add([name, "request", $0.json]) }
    ).eraseToAnyPublisher()
  }
}

extension Publisher where Output == JSONValue {
  /// What the operators that throw leave as the failure is one of the table's.
  fileprivate func failing() -> Stream {
    mapError { ($0 as? CaseFailure) ?? CaseFailure(message: String(describing: $0)) }.eraseToAnyPublisher()
  }
}
