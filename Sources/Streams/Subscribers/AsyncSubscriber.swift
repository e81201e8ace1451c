/// Delivers a publisher's values to tasks that wait for them, one for each request.
final class AsyncSubscriber<Input, Failure: Error>: Subscriber, Cancellable, ReliesOnRules,
  @unchecked Sendable
{
  /// What a waiting task gets: a value, nil at the end, or the failure.
  typealias Answer = Result<Input?, any Error>
  typealias Waiter = UnsafeContinuation<Answer, Never>

  private enum Phase {
    case awaiting
    case subscribed(any Subscription)
    /// With a failure that no task has received yet.
    case ended((any Error)?)
  }

  private struct State {
    var phase = Phase.awaiting
    var waiters: [Waiter] = []
    /// Whether any task has requested a value.
    var hasWished = false
    /// What tasks requested before there was a subscription.
    var earlyDemand = Subscribers.Demand.none

    /// Ends, and returns the previous state.
    mutating func end(_ error: (any Error)?) -> State {
      let old = self
      self = State(phase: .ended(error))
      return old
    }
  }

  /// What a task's request for a value leads to.
  private enum Step {
    case wait
    case request(any Subscription)
    case end((any Error)?)
  }

  private let state = Lock(State())

  // MARK: The task's side

  /// Requests one more value, on the calling actor, and waits for it.
  func next(isolation actor: isolated (any Actor)?) async -> Answer {
    await withTaskCancellationHandler {
      _ = actor  // A closure that does not capture it runs elsewhere.
      return await withUnsafeContinuation { enqueue($0) }
    } onCancel: {
      cancel()
    }
  }

  private func enqueue(_ waiter: Waiter) {
    let step = state.withLock { state -> Step in
      state.hasWished = true
      switch state.phase {
      case .awaiting:
        state.waiters.append(waiter)
        state.earlyDemand += 1
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

  /// Cancels the subscription. Waiting tasks get the end.
  func cancel() {
    BatchProgress.noteAction()
    let old = state.withLock { state -> State in
      if case .ended = state.phase { return State() }
      return state.end(nil)
    }
    if case .subscribed(let subscription) = old.phase { subscription.cancel() }
    for waiter in old.waiters { waiter.resume(returning: .success(nil)) }
  }

  // MARK: The publisher's side

  func receive(subscription: any Subscription) {
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard case .awaiting = state.phase else { return nil }
      state.phase = .subscribed(subscription)
      return state.earlyDemand
    }
    guard let demand else { return subscription.cancel() }
    if demand != .none { subscription.request(demand) }
  }

  /// Gives the value to the task that has waited longest, or drops it if none waits: an object's changes ignore
  /// demand. A value before the subscription resumes all waiting tasks with the end.
  func receive(_ input: Input) -> Subscribers.Demand {
    nonisolated(unsafe) var answer = Answer.success(nil)
    let waiters = state.withLock { state -> [Waiter] in
      switch state.phase {
      case .awaiting:
        defer { state.waiters = [] }
        return state.waiters
      case .subscribed:
        precondition(state.hasWished, "a value was sent before any was requested")
        guard !state.waiters.isEmpty else { return [] }
        answer = .success(input)
        return [state.waiters.removeFirst()]
      case .ended:
        return []
      }
    }
    for waiter in waiters { waiter.resume(returning: answer) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    // The subscription is released after the lock: its deinitializer may run the user's code.
    let old = state.withLock { state -> State in
      if case .ended = state.phase { return State() }
      var error: (any Error)?
      if state.waiters.isEmpty, case .failure(let failure) = completion { error = failure }
      return state.end(error)
    }
    for (index, waiter) in old.waiters.enumerated() {
      if index == 0, case .failure(let error) = completion {
        waiter.resume(returning: .failure(error))
      } else {
        waiter.resume(returning: .success(nil))
      }
    }
  }
}

/// Cancels when the iterator that holds it, and all copies of that, are released.
final class AsyncSubscription<Input, Failure: Error>: Sendable {
  let subscriber = AsyncSubscriber<Input, Failure>()

  deinit { subscriber.cancel() }
}
