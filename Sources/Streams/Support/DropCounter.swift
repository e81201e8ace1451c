import StreamsShims

/// Counts the values that a stream has dropped because there was no demand for them, or no room.
///
/// Subjects, buffers and joins that are subscribed to while a stream begins count for it.
package protocol DropCounter: AnyObject {
  /// So many values have been dropped. May be called on any thread.
  func drop(_ count: Int)
}

extension DropCounter {
  /// Runs `body`, which subscribes to a publisher, and counts what is dropped there from then on.
  package func counting(_ body: () -> Void) {
    let outer = streams_drops()
    streams_set_drops(Unmanaged.passUnretained(self as AnyObject).toOpaque())
    body()
    streams_set_drops(outer)
  }
}

/// Whoever counts what is dropped by what is made on this thread now.
///
/// An object, which is asked for what it is when it has something to count: most never have.
@frozen
@usableFromInline
struct Drops {
  private let counter: AnyObject?

  @usableFromInline
  init() { counter = streams_drops().map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() } }

  @usableFromInline @inline(never)
  func add(_ count: Int) { (counter as? any DropCounter)?.drop(count) }
}
