import Streams

/// A value that a scope gives to all below it; without one, that of the root, or of a scope that lets nothing through from
/// above, where nobody has given any.
final class EnvironmentEntry: @unchecked Sendable {
  let tracked = Tracked()
  /// Changed under the tree's lock.
  var value: AnyObject?

  init(_ value: AnyObject?) { self.value = value }
}

extension Scope {
  /// The value that this scope or the nearest above it gives; nil if none does. Whose body runs has read it.
  package func environmentValue(_ key: ObjectIdentifier) -> AnyObject? {
    let entry = entry(key)
    entry.tracked.read()
    return tree.state.withLock { _ in entry.value }
  }

  /// All values that this scope and those above it give. Whose body runs has read them, and those that are yet to come.
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

  /// Whether what is below may have other values than what is above.
  package var givesEnvironment: Bool {
    tree.state.withLock { _ in isEnvironmentClosed || !environment.isEmpty }
  }

  /// Where values come from, this scope first. To be asked under the tree's lock.
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
      // The last keeps the readers of what nobody gives.
      let entry = EnvironmentEntry(nil)
      last.environment[key] = entry
      return entry
    }
  }

  /// Gives these values, and no others, to this scope and all below it; what is above gives none if the environment is
  /// closed. Invalidates who reads something else now.
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

  /// Gives a value to this scope and all below it; nil gives none.
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
