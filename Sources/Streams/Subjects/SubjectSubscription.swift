import StreamsShims

/// A subscriber's end of its connection to a subject.
@usableFromInline
final class SubjectSubscription {
  private struct State {
    var conduit: Conduit?
    /// The demand that was left at the end.
    var finalDemand = Subscribers.Demand.none
  }

  private let state = Lock(State())
  private let kind: SubjectKind

  @usableFromInline
  init(_ kind: SubjectKind) {
    self.kind = kind
    streams_note_subject_request()
  }

  /// The connection, until it ends.
  var conduit: Conduit? { state.withLock { $0.conduit } }

  func connect(_ conduit: Conduit) {
    state.withLock { $0.conduit = conduit }
  }

  /// Drops the connection. Returns it to the one caller that dropped it.
  func disconnect() -> Conduit? {
    state.withLock { state in
      guard let conduit = state.conduit.take() else { return nil }
      state.finalDemand = conduit.demand.current
      return conduit
    }
  }
}

extension SubjectSubscription: Subscription {
  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none || kind.ignoresDemand, "request more than no values")
    streams_note_subject_request()
    BatchProgress.noteAction()
    guard let conduit else { return }
    conduit.unmanagedBroadcast._withUnsafeGuaranteedRef {
      $0.request(kind.ignoresDemand ? .unlimited : demand, for: conduit)
    }
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    guard let conduit = disconnect() else { return }
    conduit.unmanagedBroadcast._withUnsafeGuaranteedRef { $0.remove(conduit) }
    // The conduit keeps the broadcast alive, until here.
    withExtendedLifetime(conduit) {}
  }
}

extension SubjectSubscription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline var description: String { kind.rawValue }

  @usableFromInline
  var customMirror: Mirror {
    let state = self.state.withLock { $0 }
    let conduit = state.conduit
    let demand = conduit?.demand.current ?? state.finalDemand
    let downstream: Mirror.Child = ("downstream", conduit?.subscriber as Any)
    if kind == .objectWillChange { return Mirror(self, children: CollectionOfOne(downstream)) }
    let subject = conduit?.subject as Any
    return Mirror(
      self, children: [("parent", subject), downstream, ("demand", demand), ("subject", subject)])
  }

  @usableFromInline var playgroundDescription: Any { description }
}
