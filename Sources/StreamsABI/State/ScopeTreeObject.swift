import CStreams
import Streams
import StreamsScopes

/// The tree behind a handle. It is taken down with the handle.
final class ScopeTreeObject {
  let core: ScopeTreeCore

  init(_ core: ScopeTreeCore) { self.core = core }

  deinit { close() }

  func close() {
    core.updates.send(completion: .finished)
    core.tree.unmount()
  }
}

/// What the scopes of a tree share. They keep it until they are removed.
final class ScopeTreeCore: @unchecked Sendable {
  let tree: ScopeTree
  /// How many bodies have run in each update.
  let updates = PassthroughSubject<Value, StreamError>()
  /// Of this update; for the thread that updates.
  private var evaluations: Int64 = 0
  private let state = Lock(State())

  private struct State {
    var failures: [(of: ObjectIdentifier, error: StreamError)] = []
    /// By their names.
    var keys: [String: EnvironmentKey] = [:]
  }

  private final class EnvironmentKey {}

  init(schedule: ((@escaping () -> Void) -> Void)?) {
    tree = ScopeTree(schedule: schedule)
    tree.updated = { [weak self] in self?.tell() }
    tree.giveUp = { [weak self] scopes in self?.giveUp(scopes) }
  }

  /// Puts a body at the top.
  func mount(_ definition: ScopeBody.Definition) {
    let root = tree.root
    root.content = Top(self, definition)
    root.invalidate()
  }

  /// What is told apart by its address, for as long as the tree is there.
  func key(_ name: String) -> ObjectIdentifier {
    let key = state.withLock { state in
      let key = state.keys[name] ?? EnvironmentKey()
      state.keys[name] = key
      return key
    }
    return ObjectIdentifier(key)
  }

  /// Gives the whole tree a value of the environment, or none.
  func setEnvironment(_ key: ObjectIdentifier, _ value: Value?) {
    tree.root.setEnvironmentValue(key, value.map { EnvironmentValue($0) }, isEqual: EnvironmentValue.areEqual)
  }

  // MARK: Updates

  func noteEvaluation() { evaluations += 1 }

  private func tell() {
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

  /// The first of the failures that there are.
  var failure: StreamError? { state.withLock { $0.failures.first?.error } }

  /// Notes what somebody fails with, or that they do not any more.
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

  /// The program's uppermost body. Its lock guards what all bodies show.
  private let top = Lock<ScopeBody?>(nil)

  func withShown<Result>(_ body: (_ top: inout ScopeBody?) -> Result) -> Result { top.withLock(body) }

  /// What the scopes show, each after the one that it belongs to, with its depth.
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

/// What the environment has under a key.
final class EnvironmentValue {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func areEqual(_ first: AnyObject, _ second: AnyObject) -> Bool {
    guard let first = first as? EnvironmentValue, let second = second as? EnvironmentValue else {
      return false
    }
    return first.value.isSame(as: second.value)
  }
}

extension Value {
  /// Whether it equals another one. What cannot be compared differs.
  func isSame(as other: Value) -> Bool {
    // What compares is no part of the body that gives the values.
    Scope.reading(as: nil) { (try? equals(other)) ?? false }
  }
}

/// The root's content: what is above the program's body gives it the environment that the program sets from outside.
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
