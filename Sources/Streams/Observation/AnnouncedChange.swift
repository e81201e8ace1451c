import StreamsShims
import Synchronization

/// A change that this thread has announced, and that is being made while this is on the stack.
///
/// Whoever hears of it by way of other publishers, an object that passes on what another announces for example, can have
/// something done when it has been made.
@usableFromInline
struct AnnouncedChange {
  /// Whether what is changed has its new value when this is over. If not, that is set by code that nobody knows.
  private let isMade: Bool
  private let outer: UnsafeMutableRawPointer?
  private var afterwards: [(_ isMade: Bool) -> Void] = []

  /// How many changes are being made, on all threads.
  private static let count = Atomic(0)

  private init(isMade: Bool) { (self.isMade, outer) = (isMade, streams_change()) }

  /// Runs `body`, which announces a change and makes it; then does what was left for afterwards.
  @usableFromInline @inline(never)
  static func making(_ body: () -> Void) {
    addToCount(1)
    during(isMade: true, body)
    addToCount(-1)
  }

  /// Runs `body`, which announces a change, and makes it if `isMade`; then does what was left for afterwards.
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

  /// Calls `action` when the change that this thread is announcing has been made; at once if there is none, or as soon as
  /// nobody knows when that will be: then it is told that the change may not have been made.
  static func whenOver(_ action: @escaping (_ isMade: Bool) -> Void) {
    guard let change = streams_change()?.assumingMemoryBound(to: Self.self) else { return action(false) }
    change.pointee.afterwards.append(action)
  }
}
