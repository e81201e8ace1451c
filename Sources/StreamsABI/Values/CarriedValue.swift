import Streams

/// A value that an error carries, at an address for C.
final class CarriedValue: CarriedObject, @unchecked Sendable {
  fileprivate let place: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    place = .allocate(capacity: 1)
    place.initialize(to: value)
  }

  deinit {
    place.deinitialize(count: 1)
    place.deallocate()
  }
}

extension StreamError {
  /// The value that the error carries; nil if it carries none.
  var object: UnsafeMutablePointer<Value>? { (carried as? CarriedValue)?.place }
}
