import StreamsShims

/// The objects that a thread must release.
///
/// A node that goes away leaves what it kept to the loop that is already releasing: so a chain of properties of any length is
/// released without recursion.
enum ReleaseQueue {
  /// Releases what `leave` puts into the list: immediately, or after the release that this thread is already in.
  static func release(_ leave: (inout [AnyObject]) -> Void) {
    if let items = streams_remains() {
      leave(&items.assumingMemoryBound(to: [AnyObject].self).pointee)
      return
    }
    var items: [AnyObject] = []
    items.reserveCapacity(8)
    leave(&items)
    withUnsafeMutablePointer(to: &items) { items in
      streams_set_remains(items)
      // Each is released while the list is not in use, because its deinit may add to the list.
      while let item = items.pointee.popLast() { withExtendedLifetime(item) {} }
      streams_set_remains(nil)
    }
  }
}
