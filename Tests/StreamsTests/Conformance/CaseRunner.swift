import Streams
import StreamsSchedulers
import StreamsTesting

/// Runs one case of the table.
final class CaseRunner {
  struct Step {
    let action: JSONValue
    let expected: [JSONValue]
    let events: [JSONValue]
  }

  private let description: JSONValue
  private let sources: [String: Source]
  private let trace = Trace()
  private let scheduler = VirtualTimeScheduler()
  private let connections = Connections()
  private let state = State()
  private let subscriber: RecordingSubscriber<JSONValue, CaseFailure>
  private let splitsBatches: Bool
  private var received = 0

  /// With `splitsBatches`, a batch is sent as single values.
  init(_ description: JSONValue, splitsBatches: Bool) {
    self.description = description
    self.splitsBatches = splitsBatches
    if case .object(let members)? = description["sources"] {
      sources = members.mapValues(Source.init)
    } else {
      sources = [:]
    }
    let behavior = description["subscriber"] ?? .object([:])
    subscriber = RecordingSubscriber(initialDemand: (behavior["demand"] ?? "unlimited").demand)
    connect(behavior)
  }

  func run() -> [Step] {
    description["steps"]!.list.map { step in
      perform(step["do"]!)
      return Step(action: step["do"]!, expected: step["expect"]!.list, events: trace.take())
    }
  }

  private func connect(_ behavior: JSONValue) {
    let returns = behavior["returns"]?.list ?? []
    subscriber.onSubscription = { [unowned self] _ in
      trace.add(["subscription"])
      behavior["on_subscription"]?.list.forEach(perform)
    }
    subscriber.onValue = { [unowned self] value in
      trace.add(["value", value])
      received += 1
      let number = received
      behavior["on_value"]?["\(number)"]?.list.forEach(perform)
      return number <= returns.count ? returns[number - 1].demand : .none
    }
    subscriber.onCompletion = { [unowned self] completion in
      trace.add(completion.event)
      behavior["on_completion"]?.list.forEach(perform)
    }
  }

  private var builder: Builder {
    Builder(
      sources: sources, trace: trace, scheduler: scheduler, connections: connections, state: state)
  }

  private func read(_ name: String) {
    let outcome = state.binding(name)?.wrappedValue ?? state.property(name).value
    switch outcome {
    case .success(let value): trace.add([.string(name), "value", value])
    case .failure(let failure): trace.add([.string(name), "failed", .string(failure.message)])
    }
  }

  private func set(_ name: JSONValue, _ value: JSONValue) {
    if let binding = state.binding(name.string) {
      binding.wrappedValue = .success(value)
    } else {
      source(name).set(value)
    }
  }

  private func source(_ name: JSONValue) -> Source {
    guard let source = sources[name.string] else { fatalError("there is no source \(name)") }
    return source
  }

  private func perform(_ action: JSONValue) {
    let parts = action.list
    switch parts[0] {
    case "subscribe":
      builder.chain(description["publisher"]!).subscribe(subscriber)
    case "make": state.made[parts[1].string] = builder.make(parts[2])
    case "assign": state.assignments.append(builder.assign(parts[1], to: parts[2].string))
    case "read": read(parts[1].string)
    case "release": state.made[parts[1].string] = nil
    case "connect": connections.connect()
    case "disconnect": connections.disconnect()
    case "advance": scheduler.advance(by: .nanoseconds(parts[1].int))
    case "request": subscriber.request(parts[1].demand)
    case "cancel": subscriber.cancel()
    case "send": source(parts[1]).send(parts[2])
    case "send_values":
      if splitsBatches {
        parts[2].list.forEach(source(parts[1]).send(_:))
      } else {
        source(parts[1]).send(batch: parts[2].list)
      }
    case "resolve": source(parts[1]).keep(.success(parts[2]))
    case "reject": source(parts[1]).keep(.failure(CaseFailure(message: parts[2].string)))
    case "finish": source(parts[1]).complete(.finished)
    case "fail": source(parts[1]).complete(.failure(CaseFailure(message: parts[2].string)))
    case "set": set(parts[1], parts[2])
    default: fatalError("there is no action \(parts[0])")
    }
  }
}
