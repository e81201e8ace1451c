import Streams
import Synchronization

/// Changes of one graph that had to wait because the stack was too short. They come before those that are made later, by any
/// thread.
struct WaitingChanges: ~Copyable {
  typealias Change = (DependencyGraph) -> Void

  struct Waiting {
    var changes = Queue<Change>()
    /// The number of the first one.
    var first = 0
  }

  private let waiting = Lock(Waiting())
  private let count = Atomic(0)

  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Appends a change and returns its number, unless `isClosed` is true.
  func append(_ change: @escaping Change, unless isClosed: () -> Bool) -> Int? {
    waiting.withLock { waiting in
      if isClosed() { return nil }
      waiting.changes.append(change)
      count.add(1, ordering: .releasing)
      return waiting.first + waiting.changes.count - 1
    }
  }

  /// Takes out the first one, if its number is not greater than `last`.
  func popFirst(through last: Int) -> Change? {
    waiting.withLock { waiting in
      guard waiting.first <= last, let change = waiting.changes.popFirst() else { return nil }
      waiting.first += 1
      count.subtract(1, ordering: .releasing)
      return change
    }
  }

  /// Runs `action`, which runs no other code, unless a change waits: none is appended before it is over. Returns whether it has
  /// run.
  func runIfEmpty(_ action: () -> Void) -> Bool {
    waiting.withLock { waiting in
      if !waiting.changes.isEmpty { return false }
      action()
      return true
    }
  }
}
