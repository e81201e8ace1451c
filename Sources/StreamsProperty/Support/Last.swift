import Streams

/// Remembers the last value.
final class Last<Value>: @unchecked Sendable {
  private let value: Lock<Value>

  init(_ value: Value) { self.value = Lock(value) }

  /// The new value, or the last one if `value` is nil.
  func replaced(by value: Value?) -> Value {
    guard let value else { return self.value.withLock { $0 } }
    var replaced = value
    self.value.withLock { swap(&$0, &replaced) }
    withExtendedLifetime(replaced) {}  // The release may run user's code, outside the lock.
    return value
  }
}
