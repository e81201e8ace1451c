import Streams

/// A value that a scope gives to all below it; without one, that of the root, where nobody has given any.
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

  private func entry(_ key: ObjectIdentifier) -> EnvironmentEntry {
    tree.state.withLock { _ in
      var scope = self
      while true {
        if let entry = scope.environment[key] { return entry }
        guard let parent = scope.parent else { break }
        scope = parent
      }
      // The root keeps the readers of what nobody gives.
      let entry = EnvironmentEntry(nil)
      scope.environment[key] = entry
      return entry
    }
  }

  /// Gives these values, and no others, to this scope and all below it. Invalidates who reads something else now.
  package func setEnvironment(
    _ values: [ObjectIdentifier: AnyObject], isEqual: (AnyObject, AnyObject) -> Bool
  ) {
    for (key, value) in values { setEnvironmentValue(key, value, isEqual: isEqual) }
    let given = tree.state.withLock { _ in Array(environment.keys) }
    for key in given where values[key] == nil { setEnvironmentValue(key, nil, isEqual: isEqual) }
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
      outer.tracked.change { $0 !== self && $0.isInside(self) }
    case (let own?, nil) where parent != nil:
      let removed = tree.state.withLock { _ in environment.removeValue(forKey: key) }
      withExtendedLifetime(removed) { own.tracked.change() }
    case (let own?, let value):
      if let before, let value, isEqual(before, value) { return }
      if before == nil && value == nil { return }
      tree.state.withLock { _ in own.value = value }
      withExtendedLifetime(before) { own.tracked.change() }
    }
  }
}
