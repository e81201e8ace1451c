import Streams

/// How a binding reads, writes and is subscribed to.
final class Location<Value> {
  /// Serializes all writers of one place.
  let turn: LocationSerializer
  let read: () -> Value
  /// Called in its turn.
  let write: (Value) -> Void
  /// Called in its turn: writes the result of the function, unless it is nil.
  let change: ((Value) -> Value?) -> Void
  private let watch: () -> Property<Value>
  private let watched = Lock<Property<Value>?>(nil)

  convenience init(
    read: @escaping () -> Value, write: @escaping (Value) -> Void, watch: @escaping () -> Property<Value>
  ) {
    self.init(
      in: LocationSerializer(), read: read, write: write, change: { make in make(read()).map(write) },
      watch: watch)
  }

  init(
    in turn: LocationSerializer, read: @escaping () -> Value, write: @escaping (Value) -> Void,
    change: @escaping ((Value) -> Value?) -> Void, watch: @escaping () -> Property<Value>
  ) {
    self.turn = turn
    self.read = read
    self.write = write
    self.change = change
    self.watch = watch
  }

  /// Made at the first access and then kept, so that all subscribers see the values in one order.
  var property: Property<Value> {
    if let property = watched.withLock({ $0 }) { return property }
    // In its turn there is no write between the first value and later ones.
    let formed = turn.serializer.run(watch, busy: watch)
    return watched.withLock { watched in
      watched = watched ?? formed
      return watched ?? formed
    }
  }

  func set(_ value: Value) {
    turn.serializer.run({ write(value) }, busy: { turn.serializer.enqueue { [self] in write(value) } })
  }
}

/// Shared by bindings that are derived from each other.
final class LocationSerializer: @unchecked Sendable {
  let serializer = Serializer()
}
