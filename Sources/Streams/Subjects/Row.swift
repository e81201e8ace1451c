import StreamsShims
import Synchronization

/// Places in a subject's list that follow each other, during one delivery.
@frozen
@usableFromInline
package struct Row {
  @usableFromInline var places: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  @usableFromInline package var count: Int

  /// All that are in the list at this moment.
  @inlinable @inline(__always)
  init(_ list: ConduitList) {
    self.init(
      UnsafeMutableRawPointer(list.places).assumingMemoryBound(to: UnsafeMutableRawPointer?.self), list.count)
  }

  /// What `streams_listener.tell` is called with.
  @inlinable @inline(__always)
  package init(_ places: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ count: Int) {
    (self.places, self.count) = (places, count)
  }

  /// The first that is not empty; the places before it are dropped.
  @inlinable @inline(__always)
  mutating func next() -> UnsafeMutableRawPointer? {
    while count > 0 {
      if let reference = places.pointee { return reference }
      drop(1)
    }
    return nil
  }

  @inlinable @inline(__always)
  package mutating func drop(_ told: Int) {
    places += told
    count -= told
  }

  /// The listener at the first place, if there is one. It stays for as long as the delivery: who is going to tell it may look
  /// it up before others are told.
  @inlinable @inline(__always)
  package var listener: UnsafeMutablePointer<streams_listener>? {
    guard count > 0, let reference = places.pointee else { return nil }
    return Unmanaged<Conduit>.fromOpaque(reference)._withUnsafeGuaranteedRef {
      $0.listener.load(ordering: .acquiring)
    }
  }

  /// Fetches what each value looks at of the second place, which is told soon.
  @inlinable @inline(__always)
  package func fetchSecond() {
    if count > 1 { streams_fetch_second(places) }
  }

  /// The subscriber at the first place, where there is one.
  package var subscriber: AnyObject {
    Unmanaged<Conduit>.fromOpaque(places.pointee.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.subscriber }
  }

  /// Whether the subscriber at the first place, where there is one, is owed the value straight away.
  @inlinable @inline(__always)
  package var isOpen: Bool {
    Unmanaged<Conduit>.fromOpaque(places.pointee.unsafelyUnwrapped)._withUnsafeGuaranteedRef { $0.isOpen }
  }
}

/// Has the subject whose subscription this is tell its subscriber by way of a listener, which the subscriber's delivery keeps
/// alive, where so many or more follow each other. To be called when the subscriber is given the subscription; others'
/// subscriptions are left alone.
package func listen(
  _ listener: UnsafeMutablePointer<streams_listener>, from fewest: UInt8 = 1, for subscriber: AnyObject,
  to subscription: any Subscription
) {
  // A cast would look for more than this.
  guard type(of: subscription) == SubjectSubscription.self,
    let conduit = unsafeDowncast(subscription._subscriptionObject(), to: SubjectSubscription.self).conduit,
    conduit.subscriber === subscriber
  else { return }
  conduit.listener.store(listener, ordering: .releasing)
  conduit.fewest.store(fewest, ordering: .releasing)
}
