import Synchronization

/// Takes elements from a sequence and sends them to a subscriber, always one ahead.
///
/// It lies in memory that a ``SequenceSubscription`` owns. As an object of a generic class it would be released by
/// code that looks up types, and that takes longer than sending the elements of a short sequence.
@frozen
@usableFromInline
struct SequenceLoop<Elements: Sequence, Failure: Error> {
  @usableFromInline typealias Element = Elements.Element

  /// Where the next elements come from.
  @frozen
  @usableFromInline
  struct Source {
    @usableFromInline var next: Element
    @usableFromInline var iterator: Elements.Iterator

    @inlinable
    init(next: Element, iterator: Elements.Iterator) {
      self.next = next
      self.iterator = iterator
    }
  }

  @usableFromInline let sequence: Elements
  @usableFromInline let downstream: Downstream<Element, Failure>
  @usableFromInline let completion: Subscribers.Completion<Failure>
  /// The running loop takes it and puts it back.
  @usableFromInline var source: Source?

  @inlinable
  init(
    sequence: Elements, source: Source, downstream: Downstream<Element, Failure>,
    completion: Subscribers.Completion<Failure>
  ) {
    self.sequence = sequence
    self.source = source
    self.downstream = downstream
    self.completion = completion
  }

  /// Subscribes to a sequence: sends the subscription, or the completion if there are no elements.
  @inlinable
  static func start<S: Subscriber<Element, Failure>>(
    _ subscriber: S, sequence: Elements, completion: Subscribers.Completion<Failure>,
    reflection: @autoclosure () -> SequenceSubscription.Reflection
  ) {
    var iterator = sequence.makeIterator()
    guard let first = iterator.next() else {
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: completion)
      return
    }
    let loop = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    loop.initialize(
      to: SequenceLoop(
        sequence: sequence, source: Source(next: first, iterator: iterator),
        downstream: Downstream(subscriber), completion: completion))
    let subscription = SequenceSubscription(loop: loop, operations: operations, reflection: reflection())
    subscriber.receive(subscription: subscription)
    subscription.handshakeIsOver()
  }

  @inlinable
  static var operations: SequenceSubscription.Operations {
    SequenceSubscription.Operations(
      run: { run($0.assumingMemoryBound(to: Self.self), for: $1, demand: $2) },
      sequence: { $0.assumingMemoryBound(to: Self.self).pointee.sequence },
      destroy: { memory in
        let loop = memory.assumingMemoryBound(to: Self.self)
        // Not deinitialize(count:), which is done by code that looks up types.
        _ = loop.move()
        loop.deallocate()
      })
  }

  /// Sends elements until the demand is used up. Returns true if the subscription has ended.
  @inlinable
  static func run(
    _ loop: UnsafeMutablePointer<Self>, for subscription: SequenceSubscription, demand: Subscribers.Demand
  ) -> Bool {
    guard var source = loop.pointee.source.take() else { return false }
    let downstream = loop.pointee.downstream
    var demand = demand
    while true {
      let following = source.iterator.next()
      let more = downstream.receive(&source.next)
      guard let following else {
        // Combine sends the completion even if the subscription was cancelled with the last element.
        subscription.end()
        downstream.receive(completion: loop.pointee.completion)
        return true
      }
      source.next = following
      if subscription.isCancelled.load(ordering: .relaxed) { return true }
      guard demand != .unlimited else { continue }
      demand -= 1
      demand += more
      guard demand == .none else { continue }
      loop.pointee.source = source
      guard let continued = subscription.continuedDemand() else { return true }
      if continued == .none { return false }
      demand = continued
      loop.pointee.source = nil
    }
  }
}
