import Synchronization

/// A subject's conduits in the order in which they subscribed.
///
/// One thread reads the list while others append to it under the subject's lock; a list is never shortened but
/// replaced, and the old one released when nobody can be reading it.
@usableFromInline
final class ConduitList<Output, Failure: Error> {
  @usableFromInline typealias Element = Conduit<Output, Failure>

  @usableFromInline let base: UnsafeMutablePointer<Unmanaged<Element>>
  @usableFromInline let published = Atomic<Int>(0)
  private let capacity: Int

  @usableFromInline
  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit {
    for index in 0..<count { base[index].release() }
    base.deallocate()
  }

  @inlinable @inline(__always)
  var count: Int { published.load(ordering: .acquiring) }

  /// Appends, if there is room.
  @usableFromInline
  func append(_ conduit: Element) -> Bool {
    let count = published.load(ordering: .relaxed)
    guard count < capacity else { return false }
    (base + count).initialize(to: .passRetained(conduit))
    published.store(count + 1, ordering: .releasing)
    return true
  }

  /// A new list of those conduits that have not ended, with room for as many again.
  @usableFromInline
  func compacted() -> ConduitList {
    let live = (0..<count).map { base[$0].takeUnretainedValue() }
      .filter { !$0.isEnded.load(ordering: .relaxed) }
    let list = ConduitList(capacity: max(1, live.count * 2))
    for conduit in live { _ = list.append(conduit) }
    return list
  }

  /// Calls `body` with each conduit that was in the list when the call began.
  @inlinable @inline(__always)
  func forEach(_ body: (Element) -> Void) {
    let count = self.count
    for index in 0..<count {
      base[index]._withUnsafeGuaranteedRef { body($0) }
    }
  }
}
