import Streams
import Synchronization

/// A subscriber that takes values which lie together, and passes them on one by one: as single values, without the calls for
/// each.
@usableFromInline
package protocol PageSubscriber: AnyObject {
  /// Receives the memory of values of its input's type. Returns how many it has received, and the demand for them: if not all, it
  /// has ended, and whether it has cancelled the subscription decides whether it is completed.
  func receive(page: UnsafeRawBufferPointer) -> (count: Int, demand: Subscribers.Demand)
}

/// A publisher that sends a piece on demand to each subscriber. A subscriber that takes pieces gets parts as large as its demand;
/// any other gets the values one by one.
@frozen
@usableFromInline
package struct PiecePublisher<Values: Sequence, Failure: Error>: Publisher {
  @usableFromInline package typealias Output = Values.Element

  @usableFromInline let piece: any _Piece<Output>
  /// The values of the piece, for the subscription's description.
  @usableFromInline let values: Values

  @inlinable
  package init(_ piece: any _Piece<Output>, values: Values) {
    self.piece = piece
    self.values = values
  }

  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let downstream = Downstream(subscriber)
    let deliver = downstream.subscriber._pieceDelivery()
    PieceLoop(piece: piece, downstream: downstream, deliver: deliver).start(showing: values)
  }
}

/// Sends the values of a piece, in parts. Like a sequence's loop, it is in memory that a ``SequenceSubscription`` owns.
@frozen
@usableFromInline
struct PieceLoop<Element, Failure: Error> {
  @usableFromInline let piece: any _Piece<Element>
  @usableFromInline let downstream: Downstream<Element, Failure>
  /// Delivers a part to a subscriber that takes pieces.
  @usableFromInline let deliver: ((any _Piece<Element>) -> Subscribers.Demand)?
  /// The subscriber, if it takes pages.
  @usableFromInline let pages: (any PageSubscriber)?
  /// Used only by the running loop.
  @usableFromInline var offset = 0

  @inlinable
  init(
    piece: any _Piece<Element>, downstream: Downstream<Element, Failure>,
    deliver: ((any _Piece<Element>) -> Subscribers.Demand)?
  ) {
    self.piece = piece
    self.downstream = downstream
    self.deliver = deliver
    pages = downstream.subscriber as? any PageSubscriber
  }

  @inlinable
  func start(showing values: Any) {
    let loop = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    loop.initialize(to: self)
    let operations = SequenceSubscription.Operations(
      run: { Self.run($0.assumingMemoryBound(to: Self.self), for: $1, demand: $2) },
      sequence: { _ in values },
      destroy: { memory in
        let loop = memory.assumingMemoryBound(to: Self.self)
        _ = loop.move()
        loop.deallocate()
      })
    let subscription = SequenceSubscription(
      loop: loop, operations: operations,
      reflection: .init(ended: "Sequence", emptySequence: [Element]()))
    downstream.receive(subscription: subscription)
    subscription.handshakeIsOver()
  }

  /// Sends values until the demand is used up. Returns true if the subscription has ended.
  @inlinable
  static func run(
    _ loop: UnsafeMutablePointer<Self>, for subscription: SequenceSubscription, demand: Subscribers.Demand
  ) -> Bool {
    let piece = loop.pointee.piece
    var demand = demand
    while true {
      let offset = loop.pointee.offset
      let count = min(demand.max ?? .max, piece.count - offset)
      let more = send(loop, for: subscription, piece, offset, count)
      // Combine sends the completion even if the subscription was cancelled with the last value.
      if loop.pointee.offset == piece.count {
        subscription.end()
        loop.pointee.downstream.receive(completion: .finished)
        return true
      }
      if subscription.isCancelled.load(ordering: .relaxed) { return true }
      demand -= count
      demand += more
      guard demand == .none else { continue }
      guard let continued = subscription.continuedDemand() else { return true }
      if continued == .none { return false }
      demand = continued
    }
  }

  /// Sends some values, as a part or one by one. Single values are sent from where the piece has them, until the subscription is
  /// cancelled.
  @inlinable @inline(__always)
  static func send(
    _ loop: UnsafeMutablePointer<Self>, for subscription: SequenceSubscription, _ piece: any _Piece<Element>,
    _ offset: Int, _ count: Int
  ) -> Subscribers.Demand {
    if let deliver = loop.pointee.deliver {
      loop.pointee.offset += count
      return deliver(piece.part(offset, count))
    }
    let (downstream, pages) = (loop.pointee.downstream, loop.pointee.pages)
    var more = Subscribers.Demand.none
    piece.forEachPage(offset, count) { page in
      if let pages {
        let (taken, demand) = pages.receive(page: UnsafeRawBufferPointer(page))
        more += demand
        // Whoever has ended refuses the rest, and may cancel only later.
        let isCancelled = subscription.isCancelled.load(ordering: .relaxed)
        loop.pointee.offset += isCancelled ? taken : page.count
        return !isCancelled
      }
      var index = 0
      while index < page.count {
        more += downstream.receive(contentsOf: page.single(index))
        index &+= 1
        if subscription.isCancelled.load(ordering: .relaxed) { break }
      }
      loop.pointee.offset += index
      return index == page.count
    }
    return more
  }
}
