import StreamsShims

/// The changes that one thread makes, from one that comes from outside to the last that follows from it.
///
/// A change that a watcher makes to another source is nested in the one that it was shown. Where the stack is too short for
/// that it waits until that one is over, and so do those that come after it. All are made in the order in which they would
/// have been nested.
struct Cascade {
  /// More changes that had to wait are taken for an endless circle.
  private static let most = 5_000

  private var waiting: [() -> Void] = []
  /// How many had to wait and have been made.
  private var count = 0

  /// What this thread is in, further up the stack.
  private static var running: UnsafeMutablePointer<Cascade>? {
    streams_cascade()?.assumingMemoryBound(to: Cascade.self)
  }

  /// Whether changes that follow from changes have no end.
  static var circle: Domain.Circle {
    let count = running?.pointee.count ?? 0
    return count < most ? .none : count == most ? .found : .known
  }

  /// Makes a change now, or leaves a copy of it to a frame further up the stack.
  static func make(_ change: () -> Void, later copy: () -> () -> Void) {
    guard let running else { return begin(with: change) }
    if running.pointee.waiting.isEmpty && !streams_stack_is_low() { return change() }
    running.pointee.waiting.append(copy())
  }

  private static func begin(with change: () -> Void) {
    var cascade = Cascade()
    withUnsafeMutablePointer(to: &cascade) { cascade in
      streams_set_cascade(cascade)
      change()
      // What one of them leaves comes before those that come after it.
      var left = cascade.pointee.takeWaiting()
      while let change = left.popLast() {
        cascade.pointee.count += 1
        change()
        left += cascade.pointee.takeWaiting()
      }
      streams_set_cascade(nil)
    }
  }

  /// The last first.
  private mutating func takeWaiting() -> [() -> Void] {
    if waiting.isEmpty { return [] }
    defer { waiting = [] }
    return waiting.reversed()
  }
}
