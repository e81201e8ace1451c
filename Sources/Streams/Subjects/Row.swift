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

  /// What a ``RowReceiver`` is called with.
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

  /// The receiver at the first place, if there is one. It stays for as long as the delivery: who is going to call it may look
  /// it up before others are called.
  @inlinable @inline(__always)
  package var receiver: UnsafeMutableRawPointer? {
    guard count > 0, let reference = places.pointee else { return nil }
    return Unmanaged<Conduit>.fromOpaque(reference)._withUnsafeGuaranteedRef {
      $0.receiver.load(ordering: .acquiring)
    }
  }

  /// Fetches what each value looks at of the second place, to which it goes soon.
  @inlinable @inline(__always)
  package func fetchSecond() {
    guard count > 1, let second = places[1] else { return }
    Unmanaged<Conduit>.fromOpaque(second)._withUnsafeGuaranteedRef { conduit in
      withUnsafePointer(to: conduit.status) { streams_prefetch($0) }
    }
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

/// What can give one value to several subscribers that follow each other in a subject's list, by one call.
///
/// It lies in memory that begins with the address of a function; nil says that it cannot any more.
@usableFromInline
package enum RowReceiver {
  /// Gives the value to the subscriber at the first of so many places, whose receiver it is, and to as many after that as it
  /// can. Returns to how many; with 0 the first gets the value as any subscriber does.
  @usableFromInline
  package typealias Function =
    @convention(c) (
      _ receiver: UnsafeMutableRawPointer, _ places: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
      _ count: Int,
      _ value: UnsafeRawPointer
    ) -> Int

  @inlinable @inline(__always)
  static func call(_ receiver: UnsafeMutableRawPointer, _ row: Row, _ value: UnsafeRawPointer) -> Int {
    let word = receiver.assumingMemoryBound(to: Atomic<UnsafeRawPointer?>.self)
    guard let address = word.pointee.load(ordering: .relaxed) else { return 0 }
    return unsafeBitCast(address, to: Function.self)(receiver, row.places, row.count, value)
  }

  /// Has the subject whose subscription this is use a receiver, where so many or more follow each other. To be called when
  /// the subscriber is given the subscription; others' subscriptions are left alone. The subscriber keeps the memory.
  package static func install(
    _ receiver: UnsafeMutableRawPointer, from fewest: UInt8 = 1, for subscriber: AnyObject,
    in subscription: any Subscription
  ) {
    // A cast would look for more than this.
    guard type(of: subscription) == SubjectSubscription.self,
      let conduit = unsafeDowncast(subscription._subscriptionObject(), to: SubjectSubscription.self).conduit,
      conduit.subscriber === subscriber
    else { return }
    conduit.receiver.store(receiver, ordering: .releasing)
    conduit.fewest.store(fewest, ordering: .releasing)
  }
}
