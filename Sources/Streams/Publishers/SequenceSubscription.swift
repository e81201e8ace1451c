import Synchronization

/// The subscription to a sequence.
///
/// The thread whose request finds elements to send runs the loop until the demand is used up; requests that arrive
/// meanwhile, from inside the loop or from other threads, only add to the demand.
@usableFromInline
final class SequenceSubscription<Elements: Swift.Sequence, Failure: Error>: Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
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

  /// What ends with the subscription.
  @frozen
  @usableFromInline
  struct Links {
    @usableFromInline let sequence: Elements
    @usableFromInline let downstream: Downstream<Element, Failure>

    @inlinable
    init(sequence: Elements, downstream: Downstream<Element, Failure>) {
      self.sequence = sequence
      self.downstream = downstream
    }
  }

  @frozen
  @usableFromInline
  struct State {
    /// Nil once the subscription has ended.
    @usableFromInline var links: Links?
    /// Nil while the loop runs, which then has it.
    @usableFromInline var source: Source?
    @usableFromInline var demand = Subscribers.Demand.none

    @inlinable
    init(links: Links, source: Source) {
      self.links = links
      self.source = source
    }
  }

  @usableFromInline let state: Lock<State>
  @usableFromInline let isCancelled = Atomic(false)
  /// Runs ``sendElements()``, in code specialised for the sequence.
  @usableFromInline let run: (SequenceSubscription) -> Void

  @inlinable
  init(
    sequence: Elements, iterator: Elements.Iterator, first: Element, downstream: Downstream<Element, Failure>,
    run: @escaping (SequenceSubscription) -> Void
  ) {
    self.run = run
    state = Lock(
      State(
        links: Links(sequence: sequence, downstream: downstream),
        source: Source(next: first, iterator: iterator)))
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    let isIdle = state.withLock { state in
      guard state.links != nil else { return false }
      state.demand += demand
      return state.source != nil && state.demand != .none
    }
    if isIdle { run(self) }
  }

  @inlinable
  func sendElements() {
    guard let begun = begin() else { return }
    let downstream = begun.downstream
    var (source, demand) = (begun.source, begun.demand)
    while true {
      let following = source.iterator.next()
      let more = downstream.receive(source.next)
      guard let following else { return finish(downstream) }
      source.next = following
      if isCancelled.load(ordering: .relaxed) { return }
      if demand != .unlimited {
        demand -= 1
        demand += more
        if demand == .none {
          demand = pause(source)
          if demand == .none { return }
        }
      }
    }
  }

  /// Takes what the loop needs, unless another thread has been faster.
  @inlinable
  func begin() -> (downstream: Downstream<Element, Failure>, source: Source, demand: Subscribers.Demand)? {
    state.withLock { state in
      guard let links = state.links, state.demand != .none, let source = state.source.take() else { return nil }
      let demand = state.demand
      state.demand = .none
      return (links.downstream, source, demand)
    }
  }

  /// Takes the demand that has been added meanwhile; puts the source back if there is none.
  @inlinable
  func pause(_ source: Source) -> Subscribers.Demand {
    state.withLock { state in
      let demand = state.demand
      state.demand = .none
      if demand == .none, state.links != nil { state.source = source }
      return demand
    }
  }

  /// Sends the completion, as Combine does even if the subscription was cancelled with the last element.
  @usableFromInline
  func finish(_ downstream: Downstream<Element, Failure>) {
    end()
    downstream.receive(completion: .finished)
  }

  @usableFromInline
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    end()
  }

  private func end() {
    // Released after the lock: the last references may run foreign code.
    let dropped = state.withLock { ($0.links.take(), $0.source.take()) }
    withExtendedLifetime(dropped) {}
  }

  private var sequence: Elements? { state.withLock { $0.links?.sequence } }

  @usableFromInline var description: String {
    if let sequence { String(describing: sequence) } else { "Sequence" }
  }
  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["sequence": sequence as Any? ?? [Element]()])
  }
  @usableFromInline var playgroundDescription: Any { description }
}
