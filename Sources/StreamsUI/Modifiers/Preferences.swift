import Streams
import StreamsScopes

/// A value that views give to the views around them.
///
///     struct LongestTitle: PreferenceKey {
///       static let defaultValue = 0
///       static func reduce(value: inout Int, nextValue: () -> Int) { value = max(value, nextValue()) }
///     }
public protocol PreferenceKey {
  /// The type of the value.
  associatedtype Value
  /// The value of views that give none.
  static var defaultValue: Value { get }
  /// Combines the value of the views so far with that of the next view, in their order.
  static func reduce(value: inout Value, nextValue: () -> Value)
}

extension PreferenceKey where Value: ExpressibleByNilLiteral {
  /// The value of views that give none: nil.
  public static var defaultValue: Value { nil }
}

extension View {
  /// Gives a value to the views around this one, in place of what the views in it give.
  ///
  ///     Text(title).preference(key: LongestTitle.self, value: title.count)
  nonisolated public func preference<K: PreferenceKey>(key: K.Type = K.self, value: K.Value) -> some View {
    modifier(PreferenceModifier<K>(preference: .value(value)))
  }

  /// Changes the value that the views in this one give to the views around it.
  nonisolated public func transformPreference<K: PreferenceKey>(
    _ key: K.Type = K.self, _ callback: @escaping (inout K.Value) -> Void
  ) -> some View {
    modifier(PreferenceModifier<K>(preference: .change(callback)))
  }

  /// Calls an action with the value that the views in this one give: when the view has entered the tree, and when the value has
  /// changed.
  ///
  /// It is called in the update that has changed the value, after the evaluations. What is presented above the view, such as a sheet,
  /// does not count as in it.
  ///
  ///     ForEach(titles, id: \.self) { title in
  ///       Text(title).preference(key: LongestTitle.self, value: title.count)
  ///     }
  ///     .onPreferenceChange(LongestTitle.self) { longest = $0 }
  nonisolated public func onPreferenceChange<K: PreferenceKey>(
    _ key: K.Type = K.self, perform action: @escaping (K.Value) -> Void
  ) -> some View where K.Value: Equatable {
    modifier(PreferenceObservation<K>(action: action))
  }
}

private enum Preference<K: PreferenceKey> {
  case value(K.Value)
  case change((inout K.Value) -> Void)
}

nonisolated private struct PreferenceModifier<K: PreferenceKey>: ViewModifier, WholeModifier {
  typealias Body = Never
  let preference: Preference<K>

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.within({ PreferenceEntry<K>() }) { _, entry, _ in
      entry.preference = view.modifier.preference
      V._makeView(view.content, inputs)
    }
  }
}

private final class PreferenceEntry<K: PreferenceKey>: RetainedContent {
  var preference: Preference<K>?
}

nonisolated private struct PreferenceObservation<K: PreferenceKey>: ViewModifier, Single
where K.Value: Equatable {
  typealias Body = Never
  let action: (K.Value) -> Void

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.within({ PreferenceObserver<K>() }) { scope, observer, isNew in
      observer.action = view.modifier.action
      if isNew { inputs.core.preferences.add(observer, at: scope) }
      V._makeView(view.content, inputs)
    }
  }
}

private final class PreferenceObserver<K: PreferenceKey>: AnyPreferenceObserver where K.Value: Equatable {
  var action: (K.Value) -> Void = { _ in }
  private var last: K.Value?

  override func look() {
    guard let scope, !scope.isRemoved else { return }
    let value = PreferenceReading<K>.value(in: scope)
    if last == value { return }
    last = value
    action(value)
  }
}

/// Combines the values of the views in a scope. It is a loop because a tree may be deep.
private struct PreferenceReading<K: PreferenceKey> {
  private enum Step {
    case visit(Scope)
    /// What is in a view that changes the value has been visited.
    case change((inout K.Value) -> Void)
  }

  private var left: [Step] = []
  /// The values so far: one for each open change, after one for the top.
  private var values: [K.Value?] = [nil]

  static func value(in scope: Scope) -> K.Value {
    var reading = Self()
    reading.visitChildren(of: scope)
    while let step = reading.left.popLast() { reading.take(step) }
    return reading.values[0] ?? K.defaultValue
  }

  private mutating func take(_ step: Step) {
    switch step {
    case .visit(let scope) where scope.content is Presentation: break
    case .visit(let scope):
      switch (scope.content as? PreferenceEntry<K>)?.preference {
      case .value(let value): add(value)
      case .change(let change):
        left.append(.change(change))
        values.append(nil)
        visitChildren(of: scope)
      case nil: visitChildren(of: scope)
      }
    case .change(let change):
      var value = values.removeLast() ?? K.defaultValue
      change(&value)
      add(value)
    }
  }

  private mutating func visitChildren(of scope: Scope) {
    left += scope.children.reversed().map { .visit($0) }
  }

  private mutating func add(_ next: K.Value) {
    guard var value = values[values.count - 1] else {
      values[values.count - 1] = next
      return
    }
    K.reduce(value: &value) { next }
    values[values.count - 1] = value
  }
}

/// An observer of the values that views give.
class AnyPreferenceObserver: RetainedContent {
  fileprivate(set) weak var scope: Scope?
  fileprivate weak var center: PreferenceCenter?

  /// Looks at the values, which may have changed.
  func look() {}

  override func remove(from scope: Scope) { center?.remove(self) }
}

/// Lets the observers of preferences look at them after each round that has evaluated a view.
final class PreferenceCenter: @unchecked Sendable {
  private struct State {
    var observers: [AnyPreferenceObserver] = []
    var willLook = false
  }

  private let state = Lock(State())

  fileprivate func add(_ observer: AnyPreferenceObserver, at scope: Scope) {
    (observer.scope, observer.center) = (scope, self)
    state.withLock { $0.observers.append(observer) }
  }

  fileprivate func remove(_ observer: AnyPreferenceObserver) {
    state.withLock { $0.observers.removeAll { $0 === observer } }
  }

  /// A view has been evaluated.
  func note(in tree: ScopeTree) {
    let isFirst = state.withLock { state in
      if state.willLook || state.observers.isEmpty { return false }
      state.willLook = true
      return true
    }
    if isFirst { tree.act { [weak self] in self?.look() } }
  }

  private func look() {
    let observers = state.withLock { state in
      state.willLook = false
      return state.observers
    }
    for observer in observers { observer.look() }
  }
}
