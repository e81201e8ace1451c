import Streams

/// A value that a scope sets for all scopes below it. An entry without a value, in the root or in a closed scope, is for keys
/// that no scope below it sets.
final class EnvironmentEntry: @unchecked Sendable {
  let tracked = Tracked()
  /// Changed under the tree's lock.
  var value: AnyObject?

  init(_ value: AnyObject?) { self.value = value }
}

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
    _ values: [ObjectIdentifier: AnyObject], isClosed: Bool = false, isEqual: (AnyObject, AnyObject) -> Bool
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

  /// Sets a value for this scope and all below it; nil removes it.
  package func setEnvironmentValue(
    _ key: ObjectIdentifier, _ value: AnyObject?, isEqual: (AnyObject, AnyObject) -> Bool
  ) {
    let outer = entry(key)
    let (own, before) = tree.state.withLock { _ in (environment[key], environment[key]?.value) }
    switch (own, value) {
    case (nil, nil):
      break
    case (nil, let value):
      tree.state.withLock { _ in environment[key] = EnvironmentEntry(value) }
      if !isLeaf { outer.tracked.change { $0 !== self && $0.isInside(self) } }
      tree.environmentKeys.change()
    case (let own?, nil) where parent != nil:
      let removed = tree.state.withLock { _ in environment.removeValue(forKey: key) }
      withExtendedLifetime(removed) { own.tracked.change() }
    case (let own?, let value):
      if let before, let value, isEqual(before, value) { return }
      if before == nil && value == nil { return }
      tree.state.withLock { _ in own.value = value }
      withExtendedLifetime(before) { own.tracked.change() }
      if before == nil { tree.environmentKeys.change() }
    }
  }
}
