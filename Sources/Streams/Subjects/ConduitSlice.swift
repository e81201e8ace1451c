import StreamsShims
import Synchronization

/// Consecutive places in a subject's list, during one delivery.
@frozen
@usableFromInline
package struct ConduitSlice {
  @usableFromInline var places: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  @usableFromInline package var count: Int

  /// All places in the list at this moment.
  @inlinable @inline(__always)
  init(_ list: ConduitList) {
    self.init(
      UnsafeMutableRawPointer(list.places).assumingMemoryBound(to: UnsafeMutableRawPointer?.self), list.count)
  }

  /// Makes a slice of the arguments of a ``SliceReceiver``.
  @inlinable @inline(__always)
  package init(_ places: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ count: Int) {
    (self.places, self.count) = (places, count)
  }

  /// The first conduit; empty places before it are dropped.
  @inlinable @inline(__always)
  mutating func next() -> UnsafeMutableRawPointer? {
    while count > 0 {
      if let reference = places.pointee { return reference }
      drop(1)
    }
    return nil
  }

  @inlinable @inline(__always)
  package mutating func drop(_ reached: Int) {
    places += reached
    count -= reached
  }

  /// The receiver at the first place, if there is one. It stays valid during the delivery: a caller may look it up
  /// before it calls other subscribers.
  @inlinable @inline(__always)
  package var receiver: UnsafeMutableRawPointer? {
    guard count > 0, let reference = places.pointee else { return nil }
    return Unmanaged<Conduit>.fromOpaque(reference)._withUnsafeGuaranteedRef {
      $0.receiver.load(ordering: .acquiring)
    }
  }

  /// Prefetches the status of the second place, which the value reaches soon.
  @inlinable @inline(__always)
  package func fetchSecond() {
    guard count > 1, let second = places[1] else { return }
    Unmanaged<Conduit>.fromOpaque(second)._withUnsafeGuaranteedRef { conduit in
      withUnsafePointer(to: conduit.status) { streams_prefetch($0) }
    }
  }

  /// The subscriber at the first place, which must not be empty.
  package var subscriber: AnyObject {
    Unmanaged<Conduit>.fromOpaque(places.pointee.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.subscriber }
  }

  /// Whether the value can be delivered immediately at the first place, which must not be empty.
  @inlinable @inline(__always)
  package var isOpen: Bool {
    Unmanaged<Conduit>.fromOpaque(places.pointee.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.isOpen }
  }
}

/// Delivers one value to several consecutive subscribers in a subject's list by one call.
///
/// It is memory that begins with the address of a function, or with nil when it can no longer deliver.
@usableFromInline
package enum SliceReceiver {
  /// Delivers the value to the subscriber at the first of `count` places, which owns the receiver, and to as many after
  /// that as it can. Returns to how many; after 0 the first subscriber gets the value in the ordinary way.
  @usableFromInline
  package typealias Function =
    @convention(c) (
      _ receiver: UnsafeMutableRawPointer, _ places: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
      _ count: Int,
      _ value: UnsafeRawPointer
    ) -> Int

  @inlinable @inline(__always)
  static func call(
    _ receiver: UnsafeMutableRawPointer, _ slice: ConduitSlice, _ value: UnsafeRawPointer
  ) -> Int {
    let word = receiver.assumingMemoryBound(to: Atomic<UnsafeRawPointer?>.self)
    guard let address = word.pointee.load(ordering: .relaxed) else { return 0 }
    return unsafeBitCast(address, to: Function.self)(receiver, slice.places, slice.count, value)
  }

  /// Makes the subject of this subscription use a receiver, where `fewest` or more subscribers follow each other. Call
  /// it when the subscriber receives the subscription; subscriptions of others are left alone. The subscriber owns the
  /// memory.
  package static func install(
    _ receiver: UnsafeMutableRawPointer, from fewest: UInt8 = 1, for subscriber: AnyObject,
    in subscription: any Subscription
  ) {
    // A cast would check more than the exact type.
    guard type(of: subscription) == SubjectSubscription.self,
      let conduit = unsafeDowncast(subscription._subscriptionObject(), to: SubjectSubscription.self).conduit,
      conduit.subscriber === subscriber
    else { return }
    conduit.receiver.store(receiver, ordering: .releasing)
    conduit.fewest.store(fewest, ordering: .releasing)
  }
}
