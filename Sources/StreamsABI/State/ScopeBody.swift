import CStreams
import Streams
import StreamsProperty
import StreamsScopes

/// A C body in its place in the tree: its input and its storage.
final class ScopeBody: ScopeContent {
  /// The scope's content, as the body that asks for it defines it.
  struct Definition {
    let body: streams_body_fn
    let callback: Callback
    let input: Value

    /// Whether the body would run with exactly what it had before.
    func isSame(as other: Definition) -> Bool {
      unsafeBitCast(body, to: UInt.self) == unsafeBitCast(other.body, to: UInt.self)
        && callback.context == other.callback.context && input.isSame(as: other.input)
    }
  }

  let core: ScopeTreeCore
  /// The scope is this object's only owner.
  private unowned let scope: Scope
  private var definition: Definition?
  private var states: [String: BindingObject] = [:]
  private var tasks: [String: ScopeTask] = [:]
  /// The last evaluation that has set each environment value.
  private var given: [ObjectIdentifier: Int] = [:]
  /// Accessed only in `withShown`, as `parts` is.
  private(set) var shown = Value.null
  private(set) var parts: [ScopeBody] = []

  /// The greatest depth of nested scopes.
  static let greatestDepth = 10_000

  init(_ core: ScopeTreeCore, _ definition: Definition, in scope: Scope) {
    (self.core, self.definition, self.scope) = (core, definition, scope)
  }

  // MARK: Evaluation

  func evaluate(in scope: Scope) {
    guard let definition else { return }
    core.noteEvaluation()
    let result = scope.walk {
      let result = definition.run(in: scope)
      // A failed body may have failed before it asked for the others.
      if case .failure = result { scope.keepOthers() }
      return result
    }
    switch result {
    case .success(let value):
      show(value, scope.children)
      forgetOthers()
      core.setFailure(nil, of: self)
    case .failure(let error):
      show(shown, scope.children)
      core.setFailure(error, of: self)
    }
  }

  private func show(_ value: Value, _ children: [Scope]) {
    var (value, parts) = (value, children.compactMap { $0.content as? ScopeBody })
    core.withShown { _ in
      swap(&shown, &value)
      swap(&self.parts, &parts)
    }
  }

  /// Ends what this evaluation has not asked for.
  private func forgetOthers() {
    for (key, evaluation) in given where evaluation != scope.evaluation {
      given[key] = nil
      scope.setEnvironmentValue(key, nil, isEqual: EnvironmentValue.areEqual)
    }
    for (name, task) in tasks where task.evaluation != scope.evaluation { tasks[name] = nil }
  }

  func remove(from scope: Scope) {
    core.setFailure(nil, of: self)
    let kept = (definition, tasks, states)
    (definition, tasks, states) = (nil, [:], [:])
    withExtendedLifetime(kept) { show(.null, []) }
  }

  // MARK: Requests of a body

  /// Takes the new definition, and returns whether it differs from the old one.
  func take(_ new: Definition) -> Bool {
    guard let old = definition else { return false }
    definition = new
    return !new.isSame(as: old)
  }

  /// Asks for the child with a key; null is the next child without one. Returns false if it would be nested too deep.
  func child(_ key: Value, _ definition: Definition) throws(StreamError) -> Bool {
    guard scope.depth < Self.greatestDepth else { return false }
    let isNull = key.kind == STREAMS_VALUE_NULL.rawValue
    let (child, _) = scope.child(isNull ? [] : [.key(AnyHashable(try ChildKey(key)))])
    if let content = child.content as? ScopeBody {
      if content.take(definition) { child.invalidate() }
    } else {
      child.content = ScopeBody(core, definition, in: child)
      child.invalidate()
    }
    return true
  }

  /// The binding of a value that lives as long as the scope.
  func state(_ name: String, _ initial: Value) -> BindingObject {
    if let known = states[name] { return known }
    let subject = PublishedSubject<Value, StreamError>(initial)
    let change = { (value: Value) in if !value.isSame(as: subject.value) { subject.send(value) } }
    let binding = Binding<Outcome>(
      get: { .success(subject.value) }, set: { $0.set(change) }, at: subject.didChange, substitute: .endless)
    let object = BindingObject(binding, depth: 0)
    states[name] = object
    return object
  }

  /// The value that the scopes above set; values that a scope sets itself are for the scopes below.
  func environmentValue(_ key: ObjectIdentifier) -> Value {
    (scope.parent?.environmentValue(key) as? EnvironmentValue)?.value ?? .null
  }

  func setEnvironment(_ key: ObjectIdentifier, _ value: Value) {
    given[key] = scope.evaluation
    scope.setEnvironmentValue(key, EnvironmentValue(value), isEqual: EnvironmentValue.areEqual)
  }

  /// Schedules an action after the update's bodies, unless there is one with that name and the same input.
  func task(_ name: String, _ action: ScopeTask.Action, _ input: Value) {
    let task = tasks[name] ?? ScopeTask()
    tasks[name] = task
    task.evaluation = scope.evaluation
    if let last = task.input, last.isSame(as: input) { return }
    let replaced = (exchange(&task.input, with: input), exchange(&task.next, with: action))
    withExtendedLifetime(replaced) {}
    scope.tree.act { [weak scope, weak task] in
      if let scope, let task, !scope.isRemoved { task.start() }
    }
  }
}

extension ScopeBody.Definition {
  /// Runs the body, and returns the value that it shows.
  fileprivate func run(in scope: Scope) -> Outcome {
    Result { () throws(StreamError) in
      var out = streams_value()
      try Call("streams_scope").lending(scope, Kind.scope) { handle in
        withUnsafePointer(to: input) { body(callback.context, handle, $0.asC, &out) }
      }
      return try Value.takingResult(&out)
    }
  }
}

/// An action that runs when a scope has entered the tree, and again when the action's input changes.
final class ScopeTask {
  struct Action {
    let run: streams_action_fn
    let callback: Callback
  }

  var input: Value?
  /// The last evaluation that has asked for it.
  var evaluation = 0
  var next: Action?
  private var current: Action?

  /// Ends the current action, and runs the next one.
  func start() {
    guard let next = next.take() else { return }
    // This releases the current action.
    _ = exchange(&current, with: next)
    UserCallback.run { next.run(next.callback.context) }
  }
}

/// Distinguishes a child from its siblings: equal values are one key.
struct ChildKey: Hashable {
  private let value: Value
  private let hash: Int

  /// Throws if user's code fails.
  init(_ value: Value) throws(StreamError) {
    self.value = value
    hash = try Scope.reading(as: nil) { () throws(StreamError) in try value.hashed() }
  }

  static func == (first: ChildKey, second: ChildKey) -> Bool {
    first.hash == second.hash && first.value.isSame(as: second.value)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
