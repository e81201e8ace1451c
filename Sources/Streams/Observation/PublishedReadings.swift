import Synchronization

/// Which published properties are read in a stretch of code.
@usableFromInline
package enum PublishedReadings {
  /// How many threads note what they read.
  @usableFromInline static let count = Atomic(0)
  nonisolated(unsafe) private static let found = Lock<[UInt32: [ObservableObjectPublisher]]>([:])

  /// What `body` returns, and publishers of the moments after a change of what it read on this thread.
  package static func noted<Result>(_ body: () -> Result) -> (Result, [ObservableObjectPublisher]) {
    // What results read that are delivered amid `body` is not its own.
    BatchProgress.deliverGatheredIfAny()
    let outer = replace(by: [])
    count.add(1, ordering: .relaxed)
    let result = body()
    count.subtract(1, ordering: .relaxed)
    return (result, replace(by: outer) ?? [])
  }

  @inlinable @inline(__always)
  static var areNoted: Bool { count.load(ordering: .relaxed) > 0 }

  @usableFromInline
  static func note(_ didChange: () -> ObservableObjectPublisher) {
    let thread = OwnerWord.currentThread
    guard let before = found.withLock({ $0[thread] }) else { return }
    let publisher = didChange()
    if !before.contains(where: { $0 === publisher }) { _ = replace(by: before + [publisher]) }
  }

  /// Returns what was there, nil if this thread noted nothing.
  private static func replace(by publishers: [ObservableObjectPublisher]?) -> [ObservableObjectPublisher]? {
    found.withLock { found in
      let thread = OwnerWord.currentThread
      defer { found[thread] = publishers }
      return found[thread]
    }
  }
}
