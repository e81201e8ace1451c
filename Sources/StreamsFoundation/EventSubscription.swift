import Streams

/// A subscription to something that happens whether or not anybody asks for it: what comes without demand is lost.
class EventSubscription<Output>: Subscription, @unchecked Sendable {
  private struct State {
    var downstream: Downstream<Output, Never>?
    var demand = Subscribers.Demand.none

    /// Takes the demand for one event. Returns nil if there is none.
    mutating func spend() -> Downstream<Output, Never>? {
      guard demand > 0 else { return nil }
      demand -= 1
      return downstream
    }
  }

  private let state: Lock<State>
  private let serializer = Serializer()

  init(_ downstream: Downstream<Output, Never>) { state = Lock(State(downstream: downstream)) }

  /// Gives the subscriber its subscription, in turn: an event on another thread comes after it.
  func handshake() {
    guard let downstream = state.withLock({ $0.downstream }) else { return }
    serializer.perform { downstream.receive(subscription: self) }
  }

  func send(_ event: Output) {
    serializer.perform { [self] in
      guard let downstream = state.withLock({ $0.spend() }) else { return }
      request(downstream.receive(event))
    }
  }

  var demand: Subscribers.Demand { state.withLock { $0.demand } }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { if $0.downstream != nil { $0.demand += demand } }
  }

  /// Lets go of the subscriber.
  func cancel() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(old) {}
  }
}
