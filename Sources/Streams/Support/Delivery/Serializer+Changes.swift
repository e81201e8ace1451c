import StreamsShims

/// Changes that are not left to another thread, because the calling one goes on as if they had been made.
extension Serializer {
  /// Whether a change was made in turn. If not, the thread whose turn it is sleeps until the calling one goes on.
  enum Change {
    case inTurn, outOfTurn
  }

  /// Makes a change when it is this thread's turn, or where waiting would deadlock: the owner sleeps until this thread
  /// goes on, so nobody else reads what is changed. `change` is told which. Out of turn it must not run foreign code.
  ///
  /// Returns nil, and changes nothing, if the owner is only about to sleep.
  func change<Result>(_ change: (Change) -> Result) -> Result? {
    switch enterInTurn() {
    case .entered:
      defer { leave() }
      return change(.inTurn)
    case .nested: return change(.inTurn)
    case .busy: return isEntered || streams_owner_sleeps() ? change(.outOfTurn) : nil
    }
  }

  /// Requests from an upstream. What it sends in answer, when the change was made out of turn, is left to the owner: so one
  /// that answers at once, perhaps without end, is asked for some values only, and false is returned. The caller then
  /// leaves the request, too. What follows those values, such as a subject, may be sent at once.
  func request(
    _ demand: Subscribers.Demand, from upstream: any Subscription, after change: Change
  ) -> Bool {
    if change == .outOfTurn, demand == .unlimited {
      let before = signalsLeft.pointee.load(ordering: .relaxed)
      upstream.request(.max(256))
      let hasAnswered = signalsLeft.pointee.load(ordering: .relaxed) != before
      if hasAnswered { return false }
    }
    upstream.request(demand)
    return true
  }
}
