import StreamsScopes

extension View {
  /// Does something when the view has come into the tree.
  ///
  /// That is in the update that brings it, when everything has been evaluated and subscribed to, for outer views before
  /// inner ones.
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    modifier(AppearanceModifier(appear: action, disappear: nil))
  }

  /// Does something when the view has left the tree, and what it kept has been released.
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    modifier(AppearanceModifier(appear: nil, disappear: action))
  }

  /// Starts a task when the view has come into the tree, and cancels it when the view leaves.
  ///
  /// The task is the concurrency runtime's: what it does on the main actor runs only in a program whose main queue does.
  nonisolated public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    task(id: 0, priority: priority, action)
  }

  /// Starts a task when the view has come into the tree and each time when the value is another; cancels the one before, and
  /// the last when the view leaves.
  nonisolated public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    modifier(TaskModifier(value: value, start: { Task(priority: priority, operation: action) }))
  }

  /// Does something when a value has changed: with the old value and the new one.
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    modifier(ChangeModifier(value: value, initial: initial, action: action))
  }

  /// Does something when a value has changed.
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    modifier(ChangeModifier(value: value, initial: initial) { _, _ in action() })
  }

  /// Does something when a value has changed: with the new value.
  nonisolated public func onChange<V: Equatable>(
    of value: V, perform action: @escaping (_ newValue: V) -> Void
  ) -> some View {
    modifier(ChangeModifier(value: value, initial: false) { action($1) })
  }
}

nonisolated private struct AppearanceModifier: ViewModifier {
  typealias Body = Never
  let appear: (() -> Void)?
  let disappear: (() -> Void)?

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.within(Disappearance.init) { scope, kept, isNew in
      kept.action = view.modifier.disappear
      if isNew {
        scope.tree.act {
          kept.hasAppeared = true
          view.modifier.appear?()
        }
      }
      V._makeView(view.content, inputs)
    }
  }
}

private final class Disappearance: RetainedContent {
  var action: (() -> Void)?
  var hasAppeared = false

  override func remove(from scope: Scope) {
    if hasAppeared, let action { scope.tree.act(action) }
  }
}

nonisolated private struct TaskModifier<T: Equatable>: ViewModifier {
  typealias Body = Never
  let value: T
  let start: () -> Task<Void, Never>

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    let (value, start) = (view.modifier.value, view.modifier.start)
    inputs.within({ Running(value) }) { scope, running, isNew in
      if isNew || running.value != value {
        running.value = value
        scope.tree.act { running.restart(start) }
      }
      V._makeView(view.content, inputs)
    }
  }
}

private final class Running<T: Equatable>: RetainedContent {
  var value: T
  private var task: Task<Void, Never>?
  private var isOver = false

  init(_ value: T) { self.value = value }

  func restart(_ start: () -> Task<Void, Never>) {
    task?.cancel()
    task = isOver ? nil : start()
  }

  override func remove(from scope: Scope) {
    isOver = true
    task?.cancel()
  }
}

nonisolated private struct ChangeModifier<T: Equatable>: ViewModifier {
  typealias Body = Never
  let value: T
  let initial: Bool
  let action: (T, T) -> Void

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    let (modifier, value) = (view.modifier, view.modifier.value)
    inputs.within({ Last(value) }) { scope, last, isNew in
      let old = last.value
      last.value = value
      if isNew ? modifier.initial : old != value { scope.tree.act { modifier.action(old, value) } }
      V._makeView(view.content, inputs)
    }
  }
}

private final class Last<T>: RetainedContent {
  var value: T

  init(_ value: T) { self.value = value }
}
