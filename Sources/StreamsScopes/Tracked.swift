import Streams
import StreamsShims

/// Tracks the scopes whose bodies have read a value, and invalidates them when it changes.
///
/// It may be read and changed on any thread.
package final class Tracked: @unchecked Sendable {
  private struct Reader {
    let scope: Scope
    /// The last evaluation of the scope that has read it.
    var evaluation: Int
  }

  private let readers = Lock<[ObjectIdentifier: Reader]>([:])

  package init() {}

  package var readerCount: Int { readers.withLock { $0.count } }

  /// Notes that the scope whose body runs on this thread reads this. Must be called before the value is read, so that a change in
  /// between counts.
  package func read() {
    guard let scope = Scope.evaluated else { return }
    let isNew = readers.withLock { readers in
      let known = readers.updateValue(
        Reader(scope: scope, evaluation: scope.evaluation), forKey: ObjectIdentifier(scope))
      return known?.evaluation != scope.evaluation
    }
    if isNew { scope.reads.append(self) }
  }

  /// Invalidates the scopes that have read this and for which `condition` is true.
  package func change(where condition: (Scope) -> Bool = { _ in true }) {
    let readers = readers.withLock { $0 }
    for reader in readers.values where condition(reader.scope) { reader.scope.invalidate() }
  }

  /// Makes the readers for which `condition` is true readers of something else, as if they had read that. Belongs to the updating
  /// thread, and none of them may be running.
  func pass(to other: Tracked, where condition: (Scope) -> Bool) {
    let passed = readers.withLock { $0.filter { condition($1.scope) } }
    for (key, reader) in passed {
      readers.withLock { $0[key] = nil }
      other.readers.withLock { $0[key] = reader }
      reader.scope.reads = reader.scope.reads.map { $0 === self ? other : $0 }
    }
  }

  /// The scope has been evaluated without reading this, or has been removed.
  func forget(_ scope: Scope, exceptIn evaluation: Int?) {
    let forgotten = readers.withLock { readers in
      let isCurrent = readers[ObjectIdentifier(scope)]?.evaluation == evaluation
      return isCurrent ? nil : readers.removeValue(forKey: ObjectIdentifier(scope))
    }
    withExtendedLifetime(forgotten) {}
  }
}

/// A value that bodies read, and that any thread may set.
package final class StateCell<Value>: @unchecked Sendable {
  private let tracked = Tracked()
  private let state: Lock<Value>

  package init(_ value: Value) { state = Lock(value) }

  package var value: Value {
    tracked.read()
    return state.withLock { $0 }
  }

  /// Sets the value, and invalidates its readers unless the new value is equal.
  package func set(_ value: Value, isEqual: (Value, Value) -> Bool) {
    if isEqual(state.withLock { $0 }, value) { return }
    var replaced = value
    state.withLock { swap(&$0, &replaced) }
    tracked.change()
  }
}

extension Scope {
  /// The scope whose body runs on this thread.
  static var evaluated: Scope? {
    streams_reader().map { Unmanaged<Scope>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body`. What it reads counts as read by `scope`, or by no scope if that is nil.
  package static func reading<Result, Failure: Error>(
    as scope: Scope?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = streams_reader()
    streams_set_reader(scope.map { Unmanaged.passUnretained($0).toOpaque() })
    defer { streams_set_reader(outer) }
    defer { withExtendedLifetime(scope) {} }
    return try body()
  }
}
