import StreamsShims

/// What a thread is to release.
///
/// What goes away leaves what it kept to the loop that is releasing it: a chain of properties is released without
/// recursion, however long it is and through whatever it leads.
enum ReleaseQueue {
  /// Releases what `leave` puts into the list: at once, or, where this thread is releasing something, after that.
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
      // Each is released when the list is not being used: its end may add to it.
      while let item = items.pointee.popLast() { withExtendedLifetime(item) {} }
      streams_set_remains(nil)
    }
  }
}
