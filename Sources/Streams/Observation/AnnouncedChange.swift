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

  /// How many there are, on all threads.
  private static let count = Atomic(0)

  private init(isMade: Bool) { (self.isMade, outer) = (isMade, streams_change()) }

  /// Runs `body`, which announces a change and, if `isMade`, makes it; then does what was left for afterwards.
  @usableFromInline
  static func during(isMade: Bool, _ body: () -> Void) {
    var change = AnnouncedChange(isMade: isMade)
    count.add(1, ordering: .relaxed)
    withUnsafeMutablePointer(to: &change) { pointer in
      streams_set_change(pointer)
      body()
      streams_set_change(pointer.pointee.outer)
    }
    count.subtract(1, ordering: .releasing)
    for action in change.afterwards {
      if isMade { action(true) } else { whenOver(action) }
    }
  }

  /// Whether any thread has announced a change and not yet made it.
  static var isUnderWay: Bool { count.load(ordering: .acquiring) > 0 }

  /// Whether this thread has.
  static var isUnderWayHere: Bool { streams_change() != nil }

  /// Calls `action` when the change that this thread is announcing has been made; at once if there is none, or as soon as
  /// nobody knows when that will be: then it is told that the change may not have been made.
  static func whenOver(_ action: @escaping (_ isMade: Bool) -> Void) {
    guard let change = streams_change()?.assumingMemoryBound(to: Self.self) else { return action(false) }
    change.pointee.afterwards.append(action)
  }
}
