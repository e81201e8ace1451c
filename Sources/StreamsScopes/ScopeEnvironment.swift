import Streams

/// A value that a scope sets for all scopes below it. An entry without a value, in the root or in a closed scope, is for keys
/// that no scope below it sets.
final class EnvironmentEntry: @unchecked Sendable {
  let tracked = Tracked()
  /// Changed under the tree's lock.
  var value: AnyObject?

  init(_ value: AnyObject?) { self.value = value }
}

/// Whether a value is equal to another one, or, if that is nil, to what is read where no scope sets one.
package typealias EnvironmentComparison = (_ value: AnyObject, _ other: AnyObject?) -> Bool

extension Scope {
  /// The value that this scope or the nearest one above sets; nil if none does. Counts as read by the body that runs.
  package func environmentValue(_ key: ObjectIdentifier) -> AnyObject? {
    let entry = entry(key)
    entry.tracked.read()
    return tree.state.withLock { _ in entry.value }
  }

  /// All values that this scope and those above it set. They count as read by the body that runs, and so do values set later.
  package func environmentValues() -> [ObjectIdentifier: AnyObject] {
    tree.environmentKeys.read()
    let entries = tree.state.withLock { _ in
      var entries: [ObjectIdentifier: EnvironmentEntry] = [:]
      for scope in environmentScopes { entries.merge(scope.environment) { nearer, _ in nearer } }
      return entries
    }
    for entry in entries.values { entry.tracked.read() }
    return tree.state.withLock { _ in entries.compactMapValues(\.value) }
  }

  /// Whether scopes below may have other values than those above.
  package var givesEnvironment: Bool {
    tree.state.withLock { _ in isEnvironmentClosed || !environment.isEmpty }
  }

  /// The scopes that values come from, this one first. Must be called under the tree's lock.
  private var environmentScopes: some Sequence<Scope> {
    sequence(first: self) { $0.isEnvironmentClosed ? nil : $0.parent }
  }

  private func entry(_ key: ObjectIdentifier) -> EnvironmentEntry {
    tree.state.withLock { _ in
      var last = self
      for scope in environmentScopes {
        if let entry = scope.environment[key] { return entry }
        last = scope
      }
      // The last scope keeps the readers of keys that no scope sets.
      let entry = EnvironmentEntry(nil)
      last.environment[key] = entry
      return entry
    }
  }

  /// Sets exactly these values for this scope and all below it. If the environment is closed, values from above are not
  /// inherited. Invalidates the scopes whose values have changed.
  package func setEnvironment(
    _ values: [ObjectIdentifier: AnyObject], isClosed: Bool = false, isEqual: EnvironmentComparison
  ) {
    setEnvironmentClosed(isClosed)
    for (key, value) in values { setEnvironmentValue(key, value, isEqual: isEqual) }
    let given = tree.state.withLock { _ in environment.filter { $1.value != nil }.map(\.key) }
    for key in given where values[key] == nil { setEnvironmentValue(key, nil, isEqual: isEqual) }
  }

  private func setEnvironmentClosed(_ isClosed: Bool) {
    let entries: [EnvironmentEntry] = tree.state.withLock { _ in
      if isClosed == isEnvironmentClosed { return [] }
      isEnvironmentClosed = false
      defer { isEnvironmentClosed = isClosed }
      if isClosed { return environmentScopes.dropFirst().flatMap { $0.environment.values } }
      let unused = environment.filter { $1.value == nil }
      for key in unused.keys { environment[key] = nil }
      return Array(unused.values)
    }
    if !isLeaf { for entry in entries { entry.tracked.change { $0.isInside(self) } } }
  }

  /// Sets a value for this scope and all below it; nil removes it. Readers of an equal value are not invalidated.
  package func setEnvironmentValue(
    _ key: ObjectIdentifier, _ value: AnyObject?, isEqual: EnvironmentComparison
  ) {
    let outer = entry(key)
    let (own, before) = tree.state.withLock { _ in (environment[key], environment[key]?.value) }
    switch (own, value) {
    case (nil, nil):
      break
    case (nil, let value?):
      let added = EnvironmentEntry(value)
      let inherited = tree.state.withLock { _ in
        environment[key] = added
        return outer.value
      }
      if !isLeaf {
        move(outer, to: added, isEqual(value, inherited)) { $0 !== self && $0.isInside(self) }
      }
      tree.environmentKeys.change()
    case (let own?, nil) where parent != nil:
      let removed = tree.state.withLock { _ in environment.removeValue(forKey: key) }
      let next = entry(key)
      let inherited = tree.state.withLock { _ in next.value }
      withExtendedLifetime(removed) {
        move(own, to: next, before.map { isEqual($0, inherited) } ?? false) { _ in true }
      }
    case (let own?, let value):
      let isSame = if let value { isEqual(value, before) } else { before.map { isEqual($0, nil) } ?? true }
      if isSame && (value == nil) == (before == nil) { return }
      tree.state.withLock { _ in own.value = value }
      withExtendedLifetime(before) { if !isSame { own.tracked.change() } }
      if before == nil { tree.environmentKeys.change() }
    }
  }

  /// Scopes that have read an entry will read another one: with the same value they need no evaluation for that.
  private func move(
    _ entry: EnvironmentEntry, to other: EnvironmentEntry, _ isSame: Bool, where condition: (Scope) -> Bool
  ) {
    if isSame {
      entry.tracked.pass(to: other.tracked, where: condition)
    } else {
      entry.tracked.change(where: condition)
    }
  }
}
