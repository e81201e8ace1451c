import StreamsShims
import Synchronization

/// Demand that one thread spends while others add to it.
@frozen
@usableFromInline
package struct DemandCounter: ~Copyable {
  @usableFromInline let rawValue = Atomic<UInt>(0)

  @inlinable @inline(__always)
  package init() {}

  /// What other threads did before they added to it is visible.
  @inlinable @inline(__always)
  var current: Subscribers.Demand { Subscribers.Demand(rawValue: rawValue.load(ordering: .acquiring)) }

  @inlinable @inline(__always)
  var isUnlimited: Bool { current == .unlimited }

  /// Whether there is any demand, in one order with all other sequentially consistent accesses.
  @usableFromInline
  var hasAnySequentially: Bool { rawValue.load(ordering: .sequentiallyConsistent) != 0 }

  /// Takes at most `count` from the demand and returns how many were taken.
  @inlinable @inline(__always)
  package func take(upTo count: Int) -> Int {
    var old = current
    while true {
      guard old != .unlimited else { return count }
      let taken = min(UInt(count), old.rawValue)
      if taken == 0 || replace(&old, with: Subscribers.Demand(rawValue: old.rawValue - taken)) {
        return Int(taken)
      }
    }
  }

  /// Takes all of the demand.
  @usableFromInline
  func takeAll() -> Subscribers.Demand {
    var old = current
    while !replace(&old, with: .none) {}
    return old
  }

  /// Adds to the demand. Returns the demand before that.
  @inlinable @inline(__always) @discardableResult
  package func add(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    var old = current
    guard demand != .none else { return old }
    while !replace(&old, with: old + demand) {}
    return old
  }

  /// Exchanges `old` for `new`; if another thread was faster, `old` becomes the present demand.
  @inlinable @inline(__always)
  func replace(_ old: inout Subscribers.Demand, with new: Subscribers.Demand) -> Bool {
    guard streams_process_is_single_threaded() else { return replaceAmongThreads(&old, with: new) }
    rawValue.store(new.rawValue, ordering: .relaxed)
    return true
  }

  @usableFromInline @inline(never)
  func replaceAmongThreads(_ old: inout Subscribers.Demand, with new: Subscribers.Demand) -> Bool {
    if streams_bias_acquire() {
      rawValue.store(new.rawValue, ordering: .relaxed)
      streams_bias_release()
      return true
    }
    let (exchanged, now) = rawValue.compareExchange(
      expected: old.rawValue, desired: new.rawValue, ordering: .sequentiallyConsistent)
    old = Subscribers.Demand(rawValue: now)
    return exchanged
  }
}
