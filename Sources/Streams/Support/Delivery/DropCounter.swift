import StreamsShims

/// Counts the values that a stream has dropped because there was no demand for them, or no room.
///
/// What can drop some, as a subject or a buffer, counts for the stream whose subscriber is the last that it leads to: also
/// what an operator of that stream subscribes to later, such as the publishers of a flatMap.
package protocol DropCounter: AnyObject {
  /// So many values have been dropped. May be called on any thread.
  func drop(_ count: Int)
}

extension DropCounter {
  /// Runs `body`, which subscribes to a publisher, and counts what is dropped there from then on.
  package func counting(_ body: () -> Void) { Drops(self).counting(body) }
}

/// Whoever counts what is dropped by what is made on this thread now.
///
/// An object, which is asked for what it is when it has something to count: most never have.
@frozen
@usableFromInline
package struct Drops {
  private let object: AnyObject?

  @usableFromInline
  package init() {
    object = streams_drops().map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  fileprivate init(_ counter: any DropCounter) { object = counter }

  package var counter: (any DropCounter)? { object as? any DropCounter }

  @usableFromInline @inline(never)
  package func add(_ count: Int) { counter?.drop(count) }

  /// Runs `body`, which subscribes to another publisher of the same stream.
  @usableFromInline
  package func counting(_ body: () -> Void) {
    let outer = streams_drops()
    streams_set_drops(object.map { Unmanaged.passUnretained($0).toOpaque() })
    withExtendedLifetime(object) { body() }
    streams_set_drops(outer)
  }
}
