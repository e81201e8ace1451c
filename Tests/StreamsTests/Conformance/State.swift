import Streams
import StreamsProperty
import StreamsSchedulers

/// What a property or a binding of the table has: a value, or the failure of the function that was to make it.
typealias Outcome = Result<JSONValue, CaseFailure>

/// An object of the table with a published value.
final class Model: ObservableObject {
  @Published var value: JSONValue
  init(_ value: JSONValue) { self.value = value }
}

/// The properties and bindings of a case, by their names.
final class State {
  enum Made {
    case property(Property<Outcome>)
    case binding(Binding<Outcome>)
  }

  var made: [String: Made] = [:]
  var assignments: [AnyCancellable] = []

  func property(_ name: String) -> Property<Outcome> {
    switch made[name]! {
    case .property(let property): property
    case .binding(let binding): Property(binding)
    }
  }

  func binding(_ name: String) -> Binding<Outcome>? {
    if case .binding(let binding)? = made[name] { binding } else { nil }
  }
}

extension Publisher<JSONValue, CaseFailure> {
  /// The values, and the failure as a last one.
  fileprivate var outcomes: AnyPublisher<Outcome, Never> {
    map { Outcome.success($0) }.catch { Just(Outcome.failure($0)) }.eraseToAnyPublisher()
  }
}

extension Publisher<Outcome, Never> {
  fileprivate var stream: Stream {
    setFailureType(to: CaseFailure.self).tryMap { try $0.get() }.eraseToStream()
  }
}

extension Outcome {
  /// The result of a function of the table; nil if it passes over the value.
  fileprivate func attempt(_ body: (JSONValue) throws -> JSONValue?) -> Outcome? {
    flatMap { value in
      do {
        return .success(try body(value))
      } catch {
        return .failure(error as! CaseFailure)
      }
    }.optional
  }

  fileprivate func made(_ body: (JSONValue) throws -> JSONValue) -> Outcome { attempt(body)! }
}

extension Result<JSONValue?, CaseFailure> {
  fileprivate var optional: Outcome? {
    switch self {
    case .success(let value): value.map { .success($0) }
    case .failure(let failure): .failure(failure)
    }
  }
}

// MARK: - Publishers

extension Builder {
  /// A publisher of an object, a property or a binding; nil if something else is described.
  func statePublisher(_ parts: [JSONValue]) -> Stream? {
    switch parts[0] {
    case "published": source(parts[1].string)
    case "will_change":
      model(parts[1].string)!.objectWillChange.map { .null }.setFailureType(to: CaseFailure.self)
        .eraseToAnyPublisher()
    case "all_values": state.property(parts[1].string).allValues.stream
    case "subsequent_values": state.property(parts[1].string).subsequentValues.stream
    case "values": state.binding(parts[1].string)!.values.stream
    default: nil
    }
  }

  fileprivate func model(_ name: String) -> Model? {
    if case .published(let model)? = sources[name] { model } else { nil }
  }

  fileprivate func current(_ name: String) -> CurrentValueSubject<JSONValue, CaseFailure> {
    guard case .current(let subject)? = sources[name] else { fatalError("\(name) has no current value") }
    return subject
  }

  func assign(_ chain: JSONValue, to name: String) -> AnyCancellable {
    let values = self.chain(chain).map { Outcome.success($0) }.catch { _ in Empty<Outcome, Never>() }
    guard let model = model(name) else { return values.assign(to: state.binding(name)!) }
    return values.sink { [weak model] in model?.value = try! $0.get() }
  }
}

// MARK: - Properties and bindings

extension Builder {
  func make(_ description: JSONValue) -> State.Made {
    let parts = description.list
    return parts.dropFirst().reduce(stateHead(parts[0])) { made, operation in
      let given = Given(builder: self, arguments: Array(operation.list.dropFirst()))
      switch made {
      case .property(let property): return .property(derived(property, operation.list[0], given))
      case .binding(let binding): return .binding(part(of: binding, operation.list[0], given))
      }
    }
  }

  private func property(_ description: JSONValue) -> Property<Outcome> {
    guard case .property(let property) = make(description) else {
      fatalError("\(description) is no property")
    }
    return property
  }

  private func stateHead(_ description: JSONValue) -> State.Made {
    if case .string(let name) = description { return state.made[name]! }
    let parts = description.list
    switch parts[0] {
    case "constant": return .property(Property(Outcome.success(parts[1])))
    case "property": return .property(property(of: parts[1], then: parts.count > 2 ? parts[2] : nil))
    case "binding_constant": return .binding(.constant(.success(parts[1])))
    case "binding": return .binding(binding(of: parts[1].string))
    case "binding_of_functions": return .binding(bound(parts[1].string, parts.count > 2 ? parts[2] : nil))
    default: return .property(joined(parts))
    }
  }

  private func property(of first: JSONValue, then chain: JSONValue?) -> Property<Outcome> {
    if let chain { return Property(initial: .success(first), then: self.chain(chain).outcomes) }
    if state.made[first.string] != nil { return state.property(first.string) }
    if let model = model(first.string) {
      return Property(initial: .success(model.value), then: model.$value.map { .success($0) })
    }
    let subject = current(first.string)
    return Property(initial: .success(subject.value), then: subject.outcomes)
  }

  private func binding(of name: String) -> Binding<Outcome> {
    if let model = model(name) {
      return Binding(model, \.value).map(get: { .success($0) }, set: { try! $1.get() })
    }
    let subject = current(name)
    return Binding(
      get: { .success(subject.value) }, set: { subject.value = try! $0.get() }, changes: subject.outcomes)
  }

  private func bound(_ name: String, _ changes: JSONValue?) -> Binding<Outcome> {
    let subject = current(name)
    let (get, set) = (
      { Outcome.success(subject.value) }, { (new: Outcome) in subject.value = try! new.get() }
    )
    return changes.map { Binding(get: get, set: set, changes: chain($0).outcomes) }
      ?? Binding(get: get, set: set)
  }

  private func joined(_ parts: [JSONValue]) -> Property<Outcome> {
    let chains = parts.dropFirst().filter { if case .list = $0 { true } else { false } }
    let function = chains.count < parts.count - 1 ? parts.last! : "join"
    let properties = chains.map(property)
    if properties.isEmpty { return Property(Outcome.success(.list([]))) }
    let all: Property<[Outcome]> =
      parts[0].string.hasPrefix("zip")
      ? Property<Outcome>.zip(properties, emptySentinel: .success(.null))
      : Property<Outcome>.combineLatest(properties, emptySentinel: .success(.null))
    return all.map { outcomes in
      Outcome { () throws(CaseFailure) in
        .list(try outcomes.map { outcome throws(CaseFailure) in try outcome.get() })
      }
      .made { try Functions.combine(function, $0.list) }
    }
  }

  private func derived(_ property: Property<Outcome>, _ name: JSONValue, _ given: Given) -> Property<Outcome>
  {
    switch name {
    case "map": property.map { $0.made(given.transform) }
    case "filter":
      property.compactMap(initialFallback: .success(given.value)) { outcome in
        outcome.attempt { try given.predicate($0) ? $0 : nil }
      }
    case "compact_map":
      property.compactMap(initialFallback: .success(given.value)) { $0.attempt(given.compacting) }
    case "scan": scanned(property, given)
    case "remove_duplicates": property.removeDuplicates()
    case "remove_duplicates_by": property.withoutDuplicates(given)
    case "flat_map": property.map { expanded($0, given) }.switchToLatest()
    case "receive_on": property.receive(on: scheduler)
    default: fatalError("there is no property operator \(name)")
    }
  }

  /// A failure is no result to go on with.
  private func scanned(_ property: Property<Outcome>, _ given: Given) -> Property<Outcome> {
    var last = given.value
    return property.scan(.success(last)) { _, outcome in
      let made = outcome.made { try given.combine(last, $0) }
      if case .success(let value) = made { last = value }
      return made
    }
  }

  private func expanded(_ outcome: Outcome, _ given: Given) -> Property<Outcome> {
    if case .success(.string(let name)) = outcome { return state.property(name) }
    return Property(outcome.made(given.transform))
  }

  private func part(of binding: Binding<Outcome>, _ name: JSONValue, _ given: Given) -> Binding<Outcome> {
    if name == "element" { return element(given.count, of: binding) }
    let get = { (whole: Outcome) in whole.made { try Functions.transform(given.value, $0) } }
    let set = { (whole: Outcome, part: Outcome) in whole.made { try given.combine($0, part.get()) } }
    if name == "map" { return binding.map(get: get, set: set) }
    // Nil where the function fails, and not what the part is of.
    let part: Binding<Outcome?> = binding.map(
      get: { whole in
        let part = get(whole)
        if case (.success, .failure) = (whole, part) { return nil }
        return part
      },
      set: { whole, part in part.map { set(whole, $0) } ?? whole })
    return Binding(part)!
  }

  private func element(_ index: Int, of binding: Binding<Outcome>) -> Binding<Outcome> {
    let list: Binding<[Outcome]> = binding.map(
      get: { outcome in (try? outcome.get().list.map { .success($0) }) ?? [] },
      set: { _, items in .success(.list(items.map { try! $0.get() })) })
    return list[index]
  }
}

extension Property<Outcome> {
  /// What comes after a failure of the function is new.
  fileprivate func withoutDuplicates(_ given: Given) -> Property<Outcome> {
    var last: JSONValue?
    return compactMap(initialFallback: value) { outcome in
      let previous = last
      last = nil
      return outcome.attempt { value in
        let isRepeated = try previous.map { try given.compare($0, value) }
        last = value
        return isRepeated == true ? nil : value
      }
    }
  }
}
