import StreamsShims

/// Counts the values that a stream has dropped because there was no demand for them, or no room.
///
/// A subject or a buffer counts its drops for the stream at whose end the subscriber is. So do those that an operator
/// of that stream subscribes to later, such as the publishers of a flatMap.
package protocol DropCounter: AnyObject {
  /// Counts `count` dropped values. May be called on any thread.
  func drop(_ count: Int)
}

extension DropCounter {
  /// Runs `body`, which subscribes to a publisher, and counts the values dropped there from then on.
  package func counting(_ body: () -> Void) { Drops(self).counting(body) }
}

/// The counter for values that are dropped by objects made on this thread now.
///
/// Kept as an object, and cast only when there is something to count, which is rare.
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
    withExtendedLifetime(object) { BatchProgress.apart(body) }
    streams_set_drops(outer)
  }
}
