import StreamsShims
import Synchronization

/// A change that this thread has announced, and makes while this structure is on the stack.
///
/// Code that is notified of it through other publishers, for example by an object that passes on another's
/// announcements, can leave an action to run when the change has been made.
@usableFromInline
struct AnnouncedChange {
  /// Whether the property has its new value when this is over. If not, the user's code sets it at an unknown time.
  private let isMade: Bool
  private let outer: UnsafeMutableRawPointer?
  private var afterwards: [(_ isMade: Bool) -> Void] = []

  /// How many changes are being made, on all threads.
  private static let count = Atomic(0)

  private init(isMade: Bool) { (self.isMade, outer) = (isMade, streams_change()) }

  /// Runs `body`, which announces a change and makes it; then runs the actions that were left.
  @usableFromInline @inline(never)
  static func making(_ body: () -> Void) {
    addToCount(1)
    during(isMade: true, body)
    addToCount(-1)
  }

  /// Runs `body`, which announces a change, and makes it if `isMade`; then runs the actions that were left.
  @inline(__always)
  static func during(isMade: Bool, _ body: () -> Void) {
    var change = AnnouncedChange(isMade: isMade)
    withUnsafeMutablePointer(to: &change) { pointer in
      streams_set_change(pointer)
      body()
      streams_set_change(pointer.pointee.outer)
    }
    if !change.afterwards.isEmpty { change.finish() }
  }

  @inline(never)
  private func finish() {
    for action in afterwards {
      if isMade { action(true) } else { Self.whenOver(action) }
    }
  }

  private static func addToCount(_ change: Int) {
    if streams_bias_acquire() {
      count.store(count.load(ordering: .relaxed) + change, ordering: .relaxed)
      streams_bias_release()
    } else {
      count.add(change, ordering: .acquiringAndReleasing)
    }
  }

  /// Whether any thread is making a change that it has announced.
  static var isUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

  /// Whether this thread has announced a change and not yet made it.
  static var isUnderWayHere: Bool { streams_change() != nil }

  /// Calls `action` with true when the change that this thread is announcing has been made. Calls it with false, since
  /// the change may not have been made, immediately if there is no such change, or when the announcement is over if it
  /// is unknown when the change is made.
  static func whenOver(_ action: @escaping (_ isMade: Bool) -> Void) {
    guard let change = streams_change()?.assumingMemoryBound(to: Self.self) else { return action(false) }
    change.pointee.afterwards.append(action)
  }
}
