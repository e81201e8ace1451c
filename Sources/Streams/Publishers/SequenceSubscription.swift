import Synchronization

/// The subscription to a sequence or to a record of values.
///
/// The thread whose request finds elements to send runs the loop until the demand is used up; requests that arrive
/// meanwhile, from inside the loop or from other threads, only add to the demand.
///
/// It knows no types, so that requests and cancellation cost no look-ups of types: all that depends on types is in
/// the ``SequenceLoop``.
@usableFromInline
final class SequenceSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  /// What ends with the subscription.
  @usableFromInline
  struct Links {
    /// Sends elements until the demand is used up, in code specialised for the sequence.
    let run: (SequenceSubscription, Subscribers.Demand) -> Void
    let sequence: () -> Any
  }

  private struct State {
    /// Nil once the subscription has ended.
    var links: Links?
    var demand = Subscribers.Demand.none
    var isRunning = false

    /// Takes the demand there is. The caller runs the loop if there is any.
    mutating func takeDemand() -> Subscribers.Demand {
      let taken = links == nil ? .none : demand
      demand = .none
      isRunning = taken != .none
      return taken
    }
  }

  private let state: Lock<State>
  @usableFromInline let isCancelled = Atomic(false)
  private let reflection: Reflection

  /// How a subscription shows itself.
  @usableFromInline
  struct Reflection {
    /// The description once the subscription has ended; before, it is the sequence's.
    let ended: String
    /// What the mirror shows as the sequence once the subscription has ended.
    let emptySequence: Any
    /// What the mirror shows beside the sequence.
    let completion: Any?

    @usableFromInline
    init(ended: String, emptySequence: Any, completion: Any? = nil) {
      self.ended = ended
      self.emptySequence = emptySequence
      self.completion = completion
    }
  }

  @usableFromInline
  init(
    run: @escaping (SequenceSubscription, Subscribers.Demand) -> Void, sequence: @escaping () -> Any,
    reflection: Reflection
  ) {
    state = Lock(State(links: Links(run: run, sequence: sequence)))
    self.reflection = reflection
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    let start = state.withLock { state -> (Links, Subscribers.Demand)? in
      state.demand += demand
      guard let links = state.links, !state.isRunning else { return nil }
      return (links, state.takeDemand())
    }
    if let (links, demand) = start, demand != .none { links.run(self, demand) }
  }

  /// Takes the demand that has been added while the loop ran; the loop ends if there is none.
  @usableFromInline
  func continuedDemand() -> Subscribers.Demand { state.withLock { $0.takeDemand() } }

  @usableFromInline
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    end()
  }

  @usableFromInline
  func end() {
    // Released after the lock: the last references may run foreign code.
    let dropped = state.withLock { $0.links.take() }
    withExtendedLifetime(dropped) {}
  }

  private var sequence: Any? { state.withLock { $0.links }?.sequence() }

  @usableFromInline var description: String { sequence.map { "\($0)" } ?? reflection.ended }
  @usableFromInline var customMirror: Mirror {
    var children: [Mirror.Child] = [("sequence", sequence ?? reflection.emptySequence)]
    if let completion = reflection.completion { children.append(("completion", completion)) }
    return Mirror(self, children: children)
  }
  @usableFromInline var playgroundDescription: Any { description }
}

/// Takes elements from a sequence and sends them to a subscriber, always one ahead.
@usableFromInline
final class SequenceLoop<Elements: Sequence, Failure: Error> {
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
  /// For the running loop, which takes it and puts it back.
  @usableFromInline let source: Cell<Source?>

  @inlinable
  init(
    sequence: Elements, source: Source, downstream: Downstream<Element, Failure>,
    completion: Subscribers.Completion<Failure>
  ) {
    self.sequence = sequence
    self.source = Cell(source)
    self.downstream = downstream
    self.completion = completion
  }

  @inlinable
  func run(for subscription: SequenceSubscription, demand: Subscribers.Demand) {
    guard var source = self.source.value.take() else { return }
    var demand = demand
    while true {
      let following = source.iterator.next()
      let more = downstream.receive(source.next)
      guard let following else { return finish(subscription) }
      source.next = following
      if subscription.isCancelled.load(ordering: .relaxed) { return }
      guard demand != .unlimited else { continue }
      demand -= 1
      demand += more
      guard demand == .none else { continue }
      self.source.value = source
      demand = subscription.continuedDemand()
      if demand == .none { return }
      self.source.value = nil
    }
  }

  /// Sends the completion, as Combine does even if the subscription was cancelled with the last element.
  @usableFromInline
  func finish(_ subscription: SequenceSubscription) {
    subscription.end()
    downstream.receive(completion: completion)
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
    let loop = SequenceLoop(
      sequence: sequence, source: Source(next: first, iterator: iterator),
      downstream: Downstream(subscriber), completion: completion)
    subscriber.receive(
      subscription: SequenceSubscription(
        run: { loop.run(for: $0, demand: $1) }, sequence: { loop.sequence }, reflection: reflection()))
  }
}
