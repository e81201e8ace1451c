import Streams
import Synchronization

/// A publisher that sends a piece on demand to each subscriber. A subscriber that takes pieces gets parts as large as its demand;
/// any other gets the elements of a sequence one by one, which must be the same values.
@frozen
@usableFromInline
package struct PiecePublisher<Values: Sequence, Failure: Error>: Publisher {
  @usableFromInline package typealias Output = Values.Element

  @usableFromInline let piece: any _Piece<Output>
  @usableFromInline let values: Values

  @inlinable
  package init(_ piece: any _Piece<Output>, values: Values) {
    self.piece = piece
    self.values = values
  }

  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let downstream = Downstream(subscriber)
    guard let deliver = downstream.subscriber._pieceDelivery() else {
      return Publishers.Sequence(sequence: values).receive(subscriber: subscriber)
    }
    PieceLoop(piece: piece, downstream: downstream, deliver: deliver).start(showing: values)
  }
}

/// Sends the values of a piece, in parts. Like a sequence's loop, it is in memory that a ``SequenceSubscription`` owns.
@frozen
@usableFromInline
struct PieceLoop<Element, Failure: Error> {
  @usableFromInline let piece: any _Piece<Element>
  @usableFromInline let downstream: Downstream<Element, Failure>
  @usableFromInline let deliver: (any _Piece<Element>) -> Subscribers.Demand
  /// Used only by the running loop.
  @usableFromInline var offset = 0

  @inlinable
  init(
    piece: any _Piece<Element>, downstream: Downstream<Element, Failure>,
    deliver: @escaping (any _Piece<Element>) -> Subscribers.Demand
  ) {
    self.piece = piece
    self.downstream = downstream
    self.deliver = deliver
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
      loop.pointee.offset += count
      let more = loop.pointee.deliver(piece.part(offset, count))
      if offset + count == piece.count {
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
}
