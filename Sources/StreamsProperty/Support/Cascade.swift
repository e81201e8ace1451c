import StreamsShims

/// The changes that one thread makes: one from outside, and all that follow from it.
///
/// A change that a subscriber makes to another source is nested in the change that was delivered to it. Where the stack is too
/// short for that, the change waits until the outer one is over, and so do all that come after it. The changes that waited run in
/// the order in which they would have been nested, but what one source sends stays in the order in which it was sent.
struct Cascade {
  /// If more changes have to wait, the thread is taken to be in an endless circle.
  private static let most = 5_000

  private var waiting: [() -> Void] = []
  /// How many changes had to wait and have been made.
  private var count = 0

  /// The cascade that this thread runs further up the stack.
  private static var running: UnsafeMutablePointer<Cascade>? {
    streams_cascade()?.assumingMemoryBound(to: Cascade.self)
  }

  /// Whether the changes that follow from changes are endless.
  static var circle: DependencyGraph.Circle {
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
      // The changes that one of them leaves come before those after it.
      var left = cascade.pointee.takeWaiting()
      while let change = left.popLast() {
        cascade.pointee.count += 1
        change()
        left += cascade.pointee.takeWaiting()
      }
      streams_set_cascade(nil)
    }
  }

  /// The waiting changes, the last one first.
  private mutating func takeWaiting() -> [() -> Void] {
    if waiting.isEmpty { return [] }
    defer { waiting = [] }
    return waiting.reversed()
  }
}
