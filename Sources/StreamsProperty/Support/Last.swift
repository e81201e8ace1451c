import Streams

/// The last value that there was.
final class Last<Value>: @unchecked Sendable {
  private let value: Lock<Value>

  init(_ value: Value) { self.value = Lock(value) }

  /// The new value, or the last if there is none.
  func replaced(by value: Value?) -> Value {
    guard let value else { return self.value.withLock { $0 } }
    var replaced = value
    self.value.withLock { swap(&$0, &replaced) }
    withExtendedLifetime(replaced) {}  // A release may run anybody's code, and does so here.
    return value
  }
}
