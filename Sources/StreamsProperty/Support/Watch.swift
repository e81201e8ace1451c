import Streams

/// A subscriber's connection to a node. While it lives, the node does, and all that the node is derived from.
final class Watch<Value>: Subscription, @unchecked Sendable {
  private struct State {
    var node: ValueNode<Value>?
    var downstream: Downstream<Value, Never>?
    var demand = Subscribers.Demand.none
    /// The version of the last value that was delivered.
    var seen: Int
    var ticket: Int?
  }

  private enum Signal {
    case value(Value, Downstream<Value, Never>)
    case completion(Downstream<Value, Never>)
  }

  private let serializer = Serializer()
  private let state: Lock<State>

  init(_ node: ValueNode<Value>, skipsCurrent: Bool, _ downstream: Downstream<Value, Never>) {
    state = Lock(
      State(node: node, downstream: downstream, seen: skipsCurrent ? node.snapshot.version : -1))
  }

  func start() {
    serializer.perform { [self] in
      // Before the subscription, with which values begin: a change that they lead to is shown as any other.
      attach()
      state.withLock { $0.downstream }?.receive(subscription: self)
      deliver()
    }
  }

  private func attach() {
    guard let node = state.withLock({ $0.node }) else { return }
    let ticket = node.add(self)
    let isOpen = state.withLock { state in
      state.ticket = ticket
      return state.node != nil
    }
    if !isOpen { node.removeWatch(ticket) }
  }

  /// Delivers what is new, when it is its turn.
  func show() { serializer.run({ deliver() }, refused: { serializer.submit { [self] in deliver() } }) }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "a request must be for at least one value")
    state.withLock { $0.demand += demand }
    serializer.post { [self] in deliver() }
  }

  func cancel() {
    let (node, ticket) = end()
    if let ticket { node?.removeWatch(ticket) }
  }

  private func end() -> (ValueNode<Value>?, Int?) {
    let ended = state.withLock { state in
      defer { (state.node, state.downstream) = (nil, nil) }
      return (state.node, state.ticket, state.downstream)
    }
    return (ended.0, ended.1)
  }

  private func deliver() {
    while let node = state.withLock({ $0.node }), let signal = signal(of: node.snapshot) {
      switch signal {
      case .value(let value, let downstream):
        let more = downstream.receive(value)
        state.withLock { $0.demand += more }
      case .completion(let downstream):
        cancel()
        downstream.receive(completion: .finished)
      }
    }
  }

  private func signal(of snapshot: ValueNode<Value>.State) -> Signal? {
    state.withLock { state in
      guard let downstream = state.downstream else { return nil }
      if state.seen < snapshot.version {
        if state.demand == .none { return nil }
        state.demand -= 1
        state.seen = snapshot.version
        return .value(snapshot.value, downstream)
      }
      return snapshot.isFinished ? .completion(downstream) : nil
    }
  }
}

/// The values of a node.
struct Values<Value>: Publisher {
  typealias Output = Value
  typealias Failure = Never

  let node: ValueNode<Value>
  let skipsCurrent: Bool

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
    Watch(node, skipsCurrent: skipsCurrent, Downstream(subscriber)).start()
  }
}

extension Watch: CustomStringConvertible {
  var description: String { "Property" }
}
