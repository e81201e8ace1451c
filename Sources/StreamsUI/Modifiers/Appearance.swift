import StreamsScopes

extension View {
  /// Calls an action when the view has entered the tree.
  ///
  /// It is called in the same update, after all evaluations and subscriptions, for outer views before inner ones.
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    modifier(AppearanceModifier(appear: action, disappear: nil))
  }

  /// Calls an action when the view has left the tree and its storage has been released, even if the host is unmounted in the same
  /// update.
  nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    modifier(AppearanceModifier(appear: nil, disappear: action))
  }

  /// Starts a task when the view has entered the tree, and cancels it when the view leaves.
  ///
  /// The task belongs to the concurrency runtime: its main-actor code runs only in a program that runs its main queue.
  nonisolated public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    task(id: 0, priority: priority, action)
  }

  /// Starts a task when the view has entered the tree and whenever the value has changed. Cancels the task before, and the last
  /// one when the view leaves.
  nonisolated public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    modifier(TaskModifier(value: value, start: { Task(priority: priority, operation: action) }))
  }

  /// Calls an action with the old and the new value when a value has changed.
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    modifier(ChangeModifier(value: value, initial: initial, action: action))
  }

  /// Calls an action when a value has changed.
  nonisolated public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    modifier(ChangeModifier(value: value, initial: initial) { _, _ in action() })
  }

  /// Calls an action with the new value when a value has changed.
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
          // A body that was evaluated after this one may have removed it.
          if kept.isOver { return }
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
  private(set) var isOver = false

  override func remove(from scope: Scope) {
    isOver = true
    if hasAppeared, let action { scope.tree.actAfterRemoval(action) }
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
