import Synchronization

extension Publishers {
  /// A publisher that connects its upstream for the first subscriber, and disconnects it after the last.
  public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public final let upstream: Upstream

    @usableFromInline final let connection = SharedConnection()

    /// Makes the publisher that `autoconnect()` returns.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches `subscriber`, and connects the upstream if it is the first one.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = AutoconnectInner(self, connection, Downstream(subscriber))
      let mustConnect = connection.join()
      upstream.subscribe(inner)
      if mustConnect { connection.connected(upstream.connect()) }
    }
  }
}

/// Counts the subscribers of a connection and keeps it for as long as there are any.
@usableFromInline
final class SharedConnection {
  private enum State {
    case disconnected
    /// The thread is subscribing and will connect; others have joined meanwhile.
    case connecting(thread: UInt32, joined: Int)
    case connected(count: Int, any Cancellable)
  }

  private let state = Lock(State.disconnected)

  @usableFromInline
  init() {}

  /// Counts a subscriber. Returns whether the caller is to connect.
  ///
  /// A subscriber that comes while the same thread is subscribing the first one connects too, as in Combine.
  @usableFromInline
  func join() -> Bool {
    let current = Gate.currentThread
    return state.withLock { state in
      switch state {
      case .disconnected:
        state = .connecting(thread: current, joined: 0)
        return true
      case .connecting(let thread, let joined):
        if thread == current { return true }
        state = .connecting(thread: thread, joined: joined + 1)
        return false
      case .connected(let count, let connection):
        state = .connected(count: count + 1, connection)
        return false
      }
    }
  }

  /// Keeps the connection. The one before it, if there is one, is let go.
  @usableFromInline
  func connected(_ connection: any Cancellable) {
    let old = state.withLock { state in
      let old = state
      if case .connecting(_, let joined) = old {
        state = .connected(count: joined + 1, connection)
      } else {
        state = .connected(count: 1, connection)
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Counts a subscriber less; cancels the connection after the last.
  @usableFromInline
  func leave() {
    let connection: (any Cancellable)? = state.withLock { state in
      switch state {
      case .connected(1, let connection):
        state = .disconnected
        return connection
      case .connected(let count, let connection):
        state = .connected(count: count - 1, connection)
      case .connecting(let thread, let joined) where joined > 0:
        state = .connecting(thread: thread, joined: joined - 1)
      case .connecting, .disconnected:
        break
      }
      return nil
    }
    connection?.cancel()
  }
}

@usableFromInline
final class AutoconnectInner<Input, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Autoconnect" }

  @usableFromInline let parent: AnyObject
  @usableFromInline let connection: SharedConnection
  @usableFromInline let downstream: Downstream<Input, Failure>

  @inlinable
  init(_ parent: AnyObject, _ connection: SharedConnection, _ downstream: Downstream<Input, Failure>) {
    self.parent = parent
    self.connection = connection
    self.downstream = downstream
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    downstream.receive(
      subscription: AutoconnectSubscription(base: subscription, connection: connection, parent: parent))
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.deliver(batch)
  }

  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand { downstream.deliver }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["parent": parent, "downstream": downstream.subscriber])
  }
}

/// The upstream's subscription, with the connection given up when it is cancelled. It keeps the publisher alive.
private final class AutoconnectSubscription: Subscription, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
{
  private let base: any Subscription
  private let connection: SharedConnection
  private let parent: AnyObject
  private let hasLeft = Atomic(false)

  init(base: any Subscription, connection: SharedConnection, parent: AnyObject) {
    self.base = base
    self.connection = connection
    self.parent = parent
  }

  func request(_ demand: Subscribers.Demand) { base.request(demand) }

  func cancel() {
    if !hasLeft.exchange(true, ordering: .relaxed) { connection.leave() }
    base.cancel()
  }

  var combineIdentifier: CombineIdentifier { base.combineIdentifier }
  var description: String { String(describing: base) }
  var playgroundDescription: Any { description }
}

extension ConnectablePublisher {
  /// Connects this publisher for the first subscriber, and disconnects it after the last one has cancelled.
  ///
  /// Demand, values, completion and threads are those of the connectable publisher. After a disconnection the
  /// next subscriber connects anew. Subscribing from within the first subscriber's subscription connects
  /// twice, as in Combine.
  ///
  ///     let ticket = numbers.makeConnectable().autoconnect().sink { print($0) }
  @inlinable
  public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}
