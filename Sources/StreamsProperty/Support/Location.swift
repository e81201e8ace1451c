import Streams

/// Where a binding reads and writes, and what those who watch it follow.
final class Location<Value> {
  /// The turn in which all write who write to one place.
  let turn: LocationSerializer
  let read: () -> Value
  /// In its turn.
  let write: (Value) -> Void
  /// In its turn: writes what is made of the value, if something is.
  let change: ((Value) -> Value?) -> Void
  private let watch: () -> Property<Value>
  private let watched = Lock<Property<Value>?>(nil)

  convenience init(
    read: @escaping () -> Value, write: @escaping (Value) -> Void, watch: @escaping () -> Property<Value>
  ) {
    self.init(
      in: LocationSerializer(), read: read, write: write, change: { make in make(read()).map(write) }, watch: watch)
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

  /// Formed when somebody asks for it, and then kept: all who watch see the values in one order.
  var property: Property<Value> {
    if let property = watched.withLock({ $0 }) { return property }
    // In its turn nobody writes between the first value and those that follow.
    let formed = turn.serializer.run(watch, refused: watch)
    return watched.withLock { watched in
      watched = watched ?? formed
      return watched ?? formed
    }
  }

  func set(_ value: Value) {
    turn.serializer.run({ write(value) }, refused: { turn.serializer.submit { [self] in write(value) } })
  }
}

/// What bindings that are derived from each other share.
final class LocationSerializer: @unchecked Sendable {
  let serializer = Serializer()
}
