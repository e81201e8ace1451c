import Streams
import StreamsExtras
import StreamsSchedulers
import Testing

typealias Stream = AnyPublisher<JSONValue, CaseFailure>

/// A subject of the table.
enum Source {
  case passthrough(PassthroughSubject<JSONValue, CaseFailure>)
  case current(CurrentValueSubject<JSONValue, CaseFailure>)
  case replay(ReplaySubject<JSONValue, CaseFailure>)
  case promise(Future<JSONValue, CaseFailure>, Future<JSONValue, CaseFailure>.Promise)
  case published(Model)

  init(_ description: JSONValue) {
    switch description {
    case "passthrough": self = .passthrough(.init())
    case "promise":
      var promise: Future<JSONValue, CaseFailure>.Promise?
      self = .promise(Future { promise = $0 }, { promise!($0) })
    default:
      let argument = description.list[1]
      switch description.list[0] {
      case "replay": self = .replay(.init(bufferSize: argument.demand.max ?? .max))
      case "published": self = .published(Model(argument))
      default: self = .current(.init(argument))
      }
    }
  }

  func keep(_ result: Result<JSONValue, CaseFailure>) {
    guard case .promise(_, let promise) = self else { fatalError("only a promise can be kept") }
    promise(result)
  }

  var publisher: Stream {
    switch self {
    case .passthrough(let subject): subject.eraseToAnyPublisher()
    case .current(let subject): subject.eraseToAnyPublisher()
    case .replay(let subject): subject.eraseToAnyPublisher()
    case .promise(let future, _): future.eraseToAnyPublisher()
    case .published(let model): model.$value.setFailureType(to: CaseFailure.self).eraseToAnyPublisher()
    }
  }

  func send(_ value: JSONValue) {
    switch self {
    case .passthrough(let subject): subject.send(value)
    case .current(let subject): subject.send(value)
    case .replay(let subject): subject.send(value)
    case .published(let model): model.value = value
    case .promise: fatalError("a promise is kept")
    }
  }

  func send(batch values: [JSONValue]) {
    values.withUnsafeBufferPointer { batch in
      switch self {
      case .passthrough(let subject): subject.send(contentsOf: batch)
      case .current(let subject): subject.send(contentsOf: batch)
      case .replay(let subject): subject.send(contentsOf: batch)
      case .promise, .published: fatalError("sends no batch")
      }
    }
  }

  func complete(_ completion: Subscribers.Completion<CaseFailure>) {
    switch self {
    case .passthrough(let subject): subject.send(completion: completion)
    case .current(let subject): subject.send(completion: completion)
    case .replay(let subject): subject.send(completion: completion)
    case .promise, .published: fatalError("does not end so")
    }
  }

  func set(_ value: JSONValue) {
    guard case .current(let subject) = self else { fatalError("only a current-value subject can be set") }
    subject.value = value
  }
}

/// What the chain of a case made connectable last, and its connection.
final class Connections {
  private var make: (() -> any Cancellable)?
  private var autoconnect: (() -> Stream)?
  private var current: (any Cancellable)?

  /// A stream of what the connectable publisher sends.
  func stream(_ connectable: some ConnectablePublisher<JSONValue, CaseFailure>) -> Stream {
    make = { connectable.connect() }
    autoconnect = { connectable.autoconnect().eraseToAnyPublisher() }
    return connectable.eraseToAnyPublisher()
  }

  func connect() { current = make!() }
  func disconnect() { current?.cancel() }
  func autoconnected() -> Stream { autoconnect!() }
}

/// Builds the publishers that the table describes.
struct Builder {
  let sources: [String: Source]
  let trace: Trace
  let scheduler: VirtualTimeScheduler
  let connections: Connections
  let state: State

  func chain(_ description: JSONValue) -> Stream {
    let parts = description.list
    return parts.dropFirst().reduce(head(parts[0])) { operated($0, by: $1.list) }
  }

  func source(_ name: String) -> Stream {
    guard let source = sources[name] else { fatalError("there is no source \(name)") }
    return source.publisher
  }

  private func head(_ description: JSONValue) -> Stream {
    if case .string(let name) = description { return source(name) }
    let parts = description.list
    if let publisher = statePublisher(parts) { return publisher }
    switch parts[0] {
    case "just": return Just(parts[1]).setFailureType(to: CaseFailure.self).eraseToAnyPublisher()
    case "empty": return Empty(completeImmediately: parts.count == 1).eraseToAnyPublisher()
    case "fail": return Fail(error: CaseFailure(message: parts[1].string)).eraseToAnyPublisher()
    case "sequence": return sequence(parts[1].list)
    case "record": return record(parts[1].list, failure: parts.count > 2 ? parts[2].string : nil)
    case "deferred":
      // A function that fails makes what fails.
      let given = Given(builder: self, arguments: [parts[1]])
      return Deferred { given.made }.eraseToAnyPublisher()
    case "interval": return interval(parts[1].int, parts[2].int, parts[3].demand.max)
    case "generate": return sequence((1...parts[1].int).map(JSONValue.int))
    case "zip_with", "combine_latest_with":
      return combined(parts[0].string, parts.dropFirst().dropLast().map(chain), by: parts.last!)
    default: return combined(parts[0], parts.dropFirst().map(chain))
    }
  }

  func sequence(_ values: [JSONValue]) -> Stream {
    Publishers.Sequence<[JSONValue], CaseFailure>(sequence: values).eraseToAnyPublisher()
  }

  private func record(_ values: [JSONValue], failure: String?) -> Stream {
    Record(output: values, completion: failure.map { .failure(CaseFailure(message: $0)) } ?? .finished)
      .eraseToAnyPublisher()
  }

  private func interval(_ first: Int, _ every: Int, _ count: Int?) -> Stream {
    Publishers.Interval(
      every: .nanoseconds(every), first: .nanoseconds(first), count: count, scheduler: scheduler
    ).map { JSONValue.int($0) }.setFailureType(to: CaseFailure.self).eraseToAnyPublisher()
  }

  private func combined(_ name: JSONValue, _ all: [Stream]) -> Stream {
    switch (name, all.count) {
    case ("amb", _): return all.amb().eraseToAnyPublisher()
    case ("merge", _): return Publishers.MergeMany(all).eraseToAnyPublisher()
    case ("zip", 2):
      return all[0].zip(all[1]) { .list([$0, $1]) }.eraseToAnyPublisher()
    case ("zip", 3):
      return all[0].zip(all[1], all[2]) { .list([$0, $1, $2]) }.eraseToAnyPublisher()
    case ("zip", 0), ("combine_latest", 0): return Empty().eraseToAnyPublisher()
    case ("combine_latest", 2):
      return all[0].combineLatest(all[1]) { .list([$0, $1]) }.eraseToAnyPublisher()
    case ("combine_latest", 3):
      return all[0].combineLatest(all[1], all[2]) { .list([$0, $1, $2]) }.eraseToAnyPublisher()
    default: fatalError("there is no \(name) of \(all.count)")
    }
  }

  /// Combine has none that throws; one before a mapping that throws is the same.
  private func combined(_ name: String, _ all: [Stream], by function: JSONValue) -> Stream {
    let lists = combined(.string(name.replacing("_with", with: "")), all)
    return lists.tryMap { try Functions.combine(function, $0.list) }.eraseToStream()
  }

  private func operated(_ upstream: Stream, by parts: [JSONValue]) -> Stream {
    let given = Given(builder: self, arguments: Array(parts.dropFirst()))
    if parts[0] == "probe" { return probe(upstream, parts[1].string) }
    // Its function is one of single values here, and so the same as map's.
    let name = parts[0] == "map_batch" ? "map" : parts[0].string
    let operations = Entry.all.compactMap(\.operation).filter { $0.name == name }
    guard let operation = operations.first(where: { $0.isFailing == given.fails }) ?? operations.first else {
      Issue.record("no entry of the rule kit runs \(parts[0].string)")
      return upstream
    }
    return operation.apply(upstream, given)
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
