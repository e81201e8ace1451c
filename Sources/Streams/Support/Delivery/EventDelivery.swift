/// Delivers events that happen regardless of demand: an event without demand is dropped and counted.
package final class EventDelivery<Output>: @unchecked Sendable {
  private struct State {
    var downstream: Downstream<Output, Never>?
    var demand = Subscribers.Demand.none

    /// Takes the demand for one event. Returns false if there is none.
    mutating func spend() -> Bool {
      guard demand > 0 else { return false }
      demand -= 1
      return true
    }
  }

  private let state: Lock<State>
  private let serializer = Serializer()
  private let drops = Drops()

  package init(_ downstream: Downstream<Output, Never>) { state = Lock(State(downstream: downstream)) }

  /// Delivers the subscription, in turn: an event on another thread comes after it.
  package func handshake(_ subscription: any Subscription) {
    guard let downstream = state.withLock({ $0.downstream }) else { return }
    serializer.run { downstream.receive(subscription: subscription) }
  }

  package func send(_ event: Output) {
    serializer.run { [self] in
      let (downstream, isDemanded) = state.withLock { ($0.downstream, $0.spend()) }
      guard let downstream else { return }
      if isDemanded { request(downstream.receive(event)) } else { drops.add(1) }
    }
  }

  package func finish() {
    serializer.run { [self] in takeDownstream()?.receive(completion: .finished) }
  }

  package var demand: Subscribers.Demand { state.withLock { $0.demand } }

  package func request(_ demand: Subscribers.Demand) {
    state.withLock { if $0.downstream != nil { $0.demand += demand } }
  }

  /// Releases the subscriber.
  package func cancel() {
    BatchProgress.deliverGatheredIfAny()
    _ = takeDownstream()
  }

  private func takeDownstream() -> Downstream<Output, Never>? {
    state.withLock { exchange(&$0, with: State()) }.downstream
  }
}
