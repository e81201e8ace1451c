/// A subscriber's end of its connection to a subject.
@usableFromInline
final class SubjectSubscription {
  private enum State {
    case idle
    case connected(Conduit)
    /// With what was left of the demand.
    case ended(Subscribers.Demand)
  }

  private let kind: SubjectKind
  private let state = Lock(State.idle)

  init(_ kind: SubjectKind) { self.kind = kind }

  private var conduit: Conduit? {
    state.withLock { state in
      if case .connected(let conduit) = state { return conduit }
      return nil
    }
  }

  func connect(_ conduit: Conduit) {
    state.withLock { $0 = .connected(conduit) }
  }

  /// Drops the connection. Returns it to the one caller that dropped it.
  func disconnect() -> Conduit? {
    state.withLock { state in
      guard case .connected(let conduit) = state else { return nil }
      state = .ended(conduit.demand.current)
      return conduit
    }
  }
}

extension SubjectSubscription: Subscription {
  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none || kind.ignoresDemand, "request more than no values")
    guard let conduit else { return }
    conduit.broadcast.request(kind.ignoresDemand ? .unlimited : demand, for: conduit)
  }

  @usableFromInline
  func cancel() {
    guard let conduit = disconnect() else { return }
    conduit.broadcast.remove(conduit)
  }
}

extension SubjectSubscription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline var description: String { kind.rawValue }

  @usableFromInline
  var customMirror: Mirror {
    let (conduit, demand) = state.withLock { state -> (Conduit?, Subscribers.Demand) in
      switch state {
      case .idle: (nil, .none)
      case .connected(let conduit): (conduit, conduit.demand.current)
      case .ended(let demand): (nil, demand)
      }
    }
    let downstream: Mirror.Child = ("downstream", conduit?.subscriber as Any)
    if kind == .objectWillChange { return Mirror(self, children: CollectionOfOne(downstream)) }
    let subject = conduit?.subject as Any
    return Mirror(
      self, children: [("parent", subject), downstream, ("demand", demand), ("subject", subject)])
  }

  @usableFromInline var playgroundDescription: Any { description }
}
