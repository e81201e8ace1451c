public import Streams
import StreamsShims

/// A subscriber's connection to a node. It keeps the node alive, and everything that the node is derived from.
///
/// Code that depends on the type of the values is in closures that are formed where the type is known.
@usableFromInline
final class Watch: Subscription, @unchecked Sendable {
  /// Released at the end.
  private struct Connection {
    let handle: Handle
    var node: Node { handle.node }
    /// Delivers the value, after setting `seen` to its version.
    let deliver: (Watch) -> Subscribers.Demand
    let complete: () -> Void
  }

  private struct State {
    var connection: Connection?
    var demand = Subscribers.Demand.none
    var key: Int?
  }

  private enum Signal {
    case value((Watch) -> Subscribers.Demand)
    case completion(() -> Void)
  }

  private let serializer = Serializer()
  private let state: Lock<State>
  /// The version of the last value that was delivered. Accessed only in the serializer.
  @usableFromInline let seen: Cell<Int>

  @usableFromInline
  init(
    _ handle: Handle, skipsCurrent: Bool, deliver: @escaping (Watch) -> Subscribers.Demand,
    complete: @escaping () -> Void
  ) {
    state = Lock(State(connection: Connection(handle: handle, deliver: deliver, complete: complete)))
    seen = Cell(skipsCurrent ? handle.node.version : -1)
  }

  @usableFromInline
  func start(_ subscribe: @escaping (Watch) -> Void) {
    serializer.run { [self] in
      // Before the subscription, with which values begin: a change that they cause is delivered as any other.
      attach()
      subscribe(self)
      deliver()
    }
  }

  private func attach() {
    guard let node = state.withLock({ $0.connection?.node }) else { return }
    let key = node.add(self)
    let isOpen = state.withLock { state in
      state.key = key
      return state.connection != nil
    }
    if !isOpen { node.removeWatch(key) }
  }

  /// Delivers a new value, if there is one, in the serializer.
  func show() { serializer.run(self) { $0.deliver() } }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "a request must be for at least one value")
    streams_note_subject_request()
    state.withLock { $0.demand += demand }
    serializer.runNow { [self] in deliver() }
  }

  @usableFromInline
  func cancel() {
    BatchProgress.deliverGatheredIfAny()
    let (connection, key) = state.withLock { state in (state.connection.take(), state.key) }
    if let key { connection?.node.removeWatch(key) }
  }

  private func deliver() {
    while let signal = next() {
      switch signal {
      case .value(let deliver):
        let more = deliver(self)
        if more > .none { state.withLock { $0.demand += more } }
      case .completion(let complete):
        cancel()
        complete()
      }
    }
  }

  private func next() -> Signal? {
    state.withLock { state in
      guard let connection = state.connection else { return nil }
      // The end comes after the last value, and is checked before it.
      let isFinished = connection.node.isFinished
      if seen.value < connection.node.version {
        if state.demand == .none { return nil }
        state.demand -= 1
        return .value(connection.deliver)
      }
      return isFinished ? .completion(connection.complete) : nil
    }
  }
}

/// The values of a property.
@usableFromInline
struct Values<Value>: Publisher {
  @usableFromInline typealias Output = Value
  @usableFromInline typealias Failure = Never

  @usableFromInline let property: Property<Value>
  @usableFromInline let skipsCurrent: Bool

  @inlinable
  init(of property: Property<Value>, skipsCurrent: Bool) {
    (self.property, self.skipsCurrent) = (property, skipsCurrent)
  }

  @inlinable
  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
    let downstream = Downstream<Value, Never>(subscriber)
    let node = property.node
    let watch = Watch(
      property.handle, skipsCurrent: skipsCurrent,
      deliver: { watch in
        let (value, version) = node.snapshot
        watch.seen.value = version
        return downstream.receive(value)
      },
      complete: { downstream.receive(completion: .finished) })
    watch.start { downstream.receive(subscription: $0) }
  }
}

extension Watch: CustomStringConvertible {
  @usableFromInline var description: String { "Property" }
}
