public import Streams

extension Publishers {
  /// A publisher of the elements of an asynchronous sequence.
  ///
  /// Each subscriber iterates from the beginning, in a task of its own, from its first request on. The task awaits one element
  /// for each value that is demanded, and never one more: so the end, too, arrives only with demand for another value. A sequence
  /// that throws fails the stream. Cancelling cancels the task and releases the iterator.
  ///
  /// Values and the completion come from the task, on threads of the concurrency runtime; none comes before
  /// `receive(subscription:)` has returned.
  public struct AsyncSequence<Elements: _Concurrency.AsyncSequence & Sendable>: Publisher, Sendable {
    /// The values are the sequence's elements.
    public typealias Output = Elements.Element
    /// It fails with what the sequence throws.
    public typealias Failure = Elements.Failure

    /// The sequence.
    public let sequence: Elements

    /// Makes the publisher that `publisher` returns.
    public init(sequence: Elements) { self.sequence = sequence }

    /// Attaches `subscriber`; its first request makes an iterator.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      AsyncSequenceSubscription(sequence, Downstream(subscriber)).begin()
    }
  }
}

extension AsyncSequence where Self: Sendable {
  /// A publisher of the elements, which iterates from the beginning for each subscriber.
  ///
  /// It awaits one element for each value that is demanded, and never one more. It fails with what the sequence throws; if the
  /// sequence does not throw, it cannot fail. Cancelling cancels the task that iterates. Values arrive on threads of the
  /// concurrency runtime: in Swift 6 mode, put `receive(on:)` before closures that are made on an actor.
  ///
  ///     let cancellable = url.lines.publisher
  ///       .receive(on: DispatchQueue.main)
  ///       .compactMap { Int($0) }
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  ///
  /// `values` converts in the other direction.
  public var publisher: Publishers.AsyncSequence<Self> { Publishers.AsyncSequence(sequence: self) }
}

/// While there is demand a task iterates; otherwise only the subscription keeps the iterator.
private final class AsyncSequenceSubscription<Elements: AsyncSequence & Sendable>: Subscription,
  CustomStringConvertible, @unchecked Sendable
{
  private enum Place {
    case beginning(Elements)
    case iterator(Elements.AsyncIterator)
    /// The task has the iterator, or the stream has ended.
    case away
  }

  private struct State {
    var downstream: Downstream<Elements.Element, Elements.Failure>?
    var place = Place.away
    var task: Task<Void, Never>?
    var demand = Subscribers.Demand.none
    /// Whether the demand will be looked at anyway: by the task, or at first by `begin()`.
    var isBusy = true
  }

  private let state: Lock<State>

  init(_ sequence: Elements, _ downstream: Downstream<Elements.Element, Elements.Failure>) {
    state = Lock(State(downstream: downstream, place: .beginning(sequence)))
  }

  func begin() {
    guard let downstream = state.withLock({ $0.downstream }) else { return }
    downstream.receive(subscription: self)
    state.withLock { state in
      state.isBusy = false
      startTask(&state)
    }
  }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { state in
      guard state.downstream != nil else { return }
      state.demand += demand
      startTask(&state)
    }
  }

  private func startTask(_ state: inout State) {
    guard state.downstream != nil, state.demand > 0, !state.isBusy else { return }
    state.isBusy = true
    state.task = Task { await self.run() }
  }

  func cancel() { end().task?.cancel() }

  /// Ends the stream. The caller releases the returned state outside the lock.
  private func end() -> State { state.withLock { exchange(&$0, with: State()) } }

  // MARK: The task

  private func run() async {
    guard var iterator = takeIterator() else { return }
    do throws(Elements.Failure) {
      repeat {
        guard let element = try await iterator.next(isolation: nil) else { return complete(.finished) }
        guard let downstream = state.withLock({ $0.downstream }) else { return }
        let more = downstream.receive(element)
        state.withLock { state in
          if state.downstream != nil { state.demand += more }
        }
      } while goesOn(with: iterator)
    } catch {
      complete(.failure(error))
    }
  }

  private func takeIterator() -> Elements.AsyncIterator? {
    switch state.withLock({ exchange(&$0.place, with: .away) }) {
    case .beginning(let sequence): sequence.makeAsyncIterator()
    case .iterator(let iterator): iterator
    case .away: nil
    }
  }

  /// A value has been delivered. Stores the iterator if there is no demand for another.
  private func goesOn(with iterator: Elements.AsyncIterator) -> Bool {
    state.withLock { state in
      guard state.downstream != nil else { return false }
      state.demand -= 1
      if state.demand > 0 { return true }
      state.place = .iterator(iterator)
      state.isBusy = false
      state.task = nil
      return false
    }
  }

  private func complete(_ completion: Subscribers.Completion<Elements.Failure>) {
    end().downstream?.receive(completion: completion)
  }

  var description: String { "AsyncSequence" }
}
