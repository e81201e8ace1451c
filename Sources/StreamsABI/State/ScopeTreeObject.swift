import CStreams
import Streams
import StreamsScopes

/// The tree behind a handle. Releasing the handle unmounts it.
final class ScopeTreeObject {
  let core: ScopeTreeCore

  init(_ core: ScopeTreeCore) { self.core = core }

  deinit { close() }

  func close() {
    core.updates.send(completion: .finished)
    core.tree.unmount()
  }
}

/// Shared by the scopes of a tree, which keep it until they are removed.
final class ScopeTreeCore: @unchecked Sendable {
  let tree: ScopeTree
  /// Sends the number of bodies that have run in each update.
  let updates = PassthroughSubject<Value, StreamError>()
  /// Those in this update. Belongs to the updating thread.
  private var evaluations: Int64 = 0
  private let state = Lock(State())

  private struct State {
    var failures: [(of: ObjectIdentifier, error: StreamError)] = []
    /// The keys by their names.
    var keys: [String: EnvironmentKey] = [:]
  }

  private final class EnvironmentKey {}

  init(schedule: ((@escaping () -> Void) -> Void)?) {
    tree = ScopeTree(schedule: schedule)
    tree.updated = { [weak self] in self?.notify() }
    tree.giveUp = { [weak self] scopes in self?.giveUp(scopes) }
  }

  /// Puts a body at the top of the tree.
  func mount(_ definition: ScopeBody.Definition) {
    let root = tree.root
    root.content = Top(self, definition)
    root.invalidate()
  }

  /// The identity of a name, which lives as long as the tree.
  func key(_ name: String) -> ObjectIdentifier {
    let key = state.withLock { state in
      let key = state.keys[name] ?? EnvironmentKey()
      state.keys[name] = key
      return key
    }
    return ObjectIdentifier(key)
  }

  /// Sets a value of the environment for the whole tree, or removes it.
  func setEnvironment(_ key: ObjectIdentifier, _ value: Value?) {
    tree.root.setEnvironmentValue(key, value.map { EnvironmentValue($0) }, isEqual: EnvironmentValue.areEqual)
  }

  // MARK: Updates

  func noteEvaluation() { evaluations += 1 }

  private func notify() {
    setFailure(nil, of: self)
    send()
  }

  private func giveUp(_ scopes: [Scope]) {
    setFailure(
      StreamError(
        status: STREAMS_LIMIT,
        "an update was given up after \(UpdateState.roundLimit) rounds: \(scopes.count) bodies go on for ever"
      ),
      of: self)
    send()
  }

  private func send() {
    let value = Value(exchange(&evaluations, with: 0))
    updates.send(value)
  }

  // MARK: Failures

  /// The first current failure.
  var failure: StreamError? { state.withLock { $0.failures.first?.error } }

  /// Sets the failure of an owner, or removes it.
  func setFailure(_ error: StreamError?, of owner: AnyObject) {
    let replaced = state.withLock { state in
      if error == nil && state.failures.isEmpty { return nil as StreamError? }
      let index = state.failures.firstIndex { $0.of == ObjectIdentifier(owner) }
      let replaced = index.map { state.failures.remove(at: $0).error }
      if let error { state.failures.append((ObjectIdentifier(owner), error)) }
      return replaced
    }
    withExtendedLifetime(replaced) {}
  }

  // MARK: What is shown

  /// The program's topmost body. Its lock guards what all bodies show.
  private let top = Lock<ScopeBody?>(nil)

  func withShown<Result>(_ body: (_ top: inout ScopeBody?) -> Result) -> Result { top.withLock(body) }

  /// The values that the scopes show, each after that of its parent, with its depth.
  var shown: [(depth: Int, value: Value)] {
    withShown { top in
      var all: [(depth: Int, value: Value)] = []
      var left = top.map { [(0, $0)] } ?? []
      while let (depth, body) = left.popLast() {
        all.append((depth, body.shown))
        left += body.parts.reversed().map { (depth + 1, $0) }
      }
      return all
    }
  }
}

/// The environment's value for a key.
final class EnvironmentValue {
  let value: Value

  init(_ value: Value) { self.value = value }

  /// A value that no scope sets is null.
  static func areEqual(_ first: AnyObject, _ second: AnyObject?) -> Bool {
    guard let first = first as? EnvironmentValue else { return false }
    return first.value.isSame(as: (second as? EnvironmentValue)?.value ?? .null)
  }
}

extension Value {
  /// Whether it equals another one. Values that cannot be compared differ.
  func isSame(as other: Value) -> Bool {
    // The comparison does not count as reading by the body that sets the values.
    Scope.reading(as: nil) { (try? equals(other)) ?? false }
  }
}

/// The root's content, above the program's body: it has the environment that the program sets from outside.
private final class Top: ScopeContent {
  private let core: ScopeTreeCore
  private var definition: ScopeBody.Definition?

  init(_ core: ScopeTreeCore, _ definition: ScopeBody.Definition) {
    (self.core, self.definition) = (core, definition)
  }

  func evaluate(in scope: Scope) {
    guard let definition = definition.take() else { return }
    scope.walk {
      let (child, _) = scope.child([])
      let body = ScopeBody(core, definition, in: child)
      child.content = body
      core.withShown { $0 = body }
      child.invalidate()
    }
  }

  func remove(from scope: Scope) {
    let kept = (definition, core.withShown { $0.take() })
    definition = nil
    withExtendedLifetime(kept) {}
  }
}

extension Kind {
  static let scopeTree = HandleKind<ScopeTreeObject>(STREAMS_KIND_SCOPE_TREE)
  static let scope = HandleKind<Scope>(STREAMS_KIND_SCOPE)
}
