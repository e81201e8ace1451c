/// Hands a publisher's values to tasks that wait for them, one for each request.
final class AsyncSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  /// What a waiting task is given: a value, nil at the end, or the failure.
  typealias Answer = Result<Input?, any Error>
  typealias Waiter = UnsafeContinuation<Answer, Never>

  private enum Phase {
    case awaiting
    case subscribed(any Subscription)
    /// With a failure that no task has been told of yet.
    case ended((any Error)?)
  }

  private struct State {
    var phase = Phase.awaiting
    var waiters: [Waiter] = []

    /// Ends, and returns what is left of before.
    mutating func end(_ error: (any Error)?) -> State {
      let old = self
      self = State(phase: .ended(error))
      return old
    }
  }

  /// What a task's wish for a value leads to.
  private enum Step {
    case wait
    case request(any Subscription)
    case end((any Error)?)
  }

  private let state = Lock(State())

  // MARK: The task's side

  /// Asks for one value more and waits for it.
  func next() async -> Answer {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { enqueue($0) }
    } onCancel: {
      cancel()
    }
  }

  private func enqueue(_ waiter: Waiter) {
    let step = state.withLock { state -> Step in
      switch state.phase {
      case .awaiting:
        state.waiters.append(waiter)
        return .wait
      case .subscribed(let subscription):
        state.waiters.append(waiter)
        return .request(subscription)
      case .ended(let error):
        state.phase = .ended(nil)
        return .end(error)
      }
    }
    switch step {
    case .wait: break
    case .request(let subscription): subscription.request(.max(1))
    case .end(let error): waiter.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }
  }

  /// Cancels the subscription. Tasks that wait are given the end.
  func cancel() {
    let old = state.withLock { state -> State in
      if case .ended = state.phase { return State() }
      return state.end(nil)
    }
    if case .subscribed(let subscription) = old.phase { subscription.cancel() }
    for waiter in old.waiters { waiter.resume(returning: .success(nil)) }
  }

  // MARK: The publisher's side

  func receive(subscription: any Subscription) {
    let demand = state.withLock { state -> Int? in
      guard case .awaiting = state.phase else { return nil }
      state.phase = .subscribed(subscription)
      return state.waiters.count
    }
    switch demand {
    case nil: subscription.cancel()
    case 0: break
    case let demand?: subscription.request(.max(demand))
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let waiter = state.withLock { state -> Waiter? in
      guard case .subscribed = state.phase else { return nil }
      precondition(!state.waiters.isEmpty, "a value was sent without demand")
      return state.waiters.removeFirst()
    }
    nonisolated(unsafe) let answer = Answer.success(input)
    waiter?.resume(returning: answer)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let waiters = state.withLock { state -> [Waiter] in
      if case .ended = state.phase { return [] }
      var error: (any Error)?
      if state.waiters.isEmpty, case .failure(let failure) = completion { error = failure }
      return state.end(error).waiters
    }
    for (index, waiter) in waiters.enumerated() {
      if index == 0, case .failure(let error) = completion {
        waiter.resume(returning: .failure(error))
      } else {
        waiter.resume(returning: .success(nil))
      }
    }
  }
}

/// Cancels when the iterator that holds it, and all its copies, are gone.
final class AsyncSubscription<Input, Failure: Error>: Sendable {
  let subscriber = AsyncSubscriber<Input, Failure>()

  deinit { subscriber.cancel() }
}
