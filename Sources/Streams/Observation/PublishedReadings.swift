import Synchronization

/// Records which published properties a closure reads.
@usableFromInline
package enum PublishedReadings {
  /// How many threads record what they read.
  @usableFromInline static let count = Atomic(0)
  nonisolated(unsafe) private static let found = Lock<[UInt32: [ObservableObjectPublisher]]>([:])

  /// Returns the result of `body`, and for each property that it read on this thread a publisher that sends
  /// after a change.
  package static func noted<Result>(_ body: () -> Result) -> (Result, [ObservableObjectPublisher]) {
    // Results delivered during `body` may read properties, which would not be its own readings.
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

  /// Returns the previous publishers, nil if this thread recorded nothing.
  private static func replace(by publishers: [ObservableObjectPublisher]?) -> [ObservableObjectPublisher]? {
    found.withLock { found in
      let thread = OwnerWord.currentThread
      defer { found[thread] = publishers }
      return found[thread]
    }
  }
}
