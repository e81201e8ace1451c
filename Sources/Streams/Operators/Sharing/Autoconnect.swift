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

    @usableFromInline final let connection: SharedConnection

    /// Makes the publisher that `autoconnect()` returns.
    public init(upstream: Upstream) {
      self.upstream = upstream
      connection = SharedConnection(connectsWithin: !(upstream is any ConnectsOnce))
    }

    /// Attaches `subscriber`, and connects the upstream if it is the first one.
    @inlinable
    public final func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let attempt = connection.join()
      upstream.subscribe(AutoconnectInner(self, connection, Downstream(subscriber)))
      guard let attempt, connection.isWanted(attempt) else { return }
      let made = upstream._connect { connection.begun($0, in: attempt) }
      connection.connected(made, in: attempt)
    }
  }
}

/// A connectable publisher that `autoconnect` connects once, whoever subscribes meanwhile: each of this library's.
@usableFromInline
package protocol ConnectsOnce {}

/// The connection that all subscribers of an autoconnected publisher share.
@usableFromInline
final class SharedConnection {
  private let state = Lock(SharedConnectionState())
  /// Whether one who subscribes within the first one's subscription connects, too.
  private let connectsWithin: Bool

  init(connectsWithin: Bool) { self.connectsWithin = connectsWithin }

  /// Adds a subscriber. Returns the number of its attempt if it must connect.
  @usableFromInline
  func join() -> Int? {
    state.withLock { $0.join(on: Gate.currentThread, connectsWithin: connectsWithin) }
  }

  @usableFromInline
  func isWanted(_ attempt: Int) -> Bool { state.withLock { $0.isWanted(attempt) } }

  @usableFromInline
  func begun(_ connection: any Cancellable, in attempt: Int) {
    let link = connection as? UpstreamLink
    state.withLock { $0.begin(connection, link, in: attempt) }?.cancel()
  }

  @usableFromInline
  func connected(_ connection: any Cancellable, in attempt: Int) {
    let (unwanted, replaced) = state.withLock { $0.connected(connection, in: attempt) }
    unwanted?.cancel()
    withExtendedLifetime(replaced) {}
  }

  /// Removes a subscriber; the last one ends the connection.
  @usableFromInline
  func leave() {
    // Values gathered on their way to the subscribers come first.
    BatchProgress.noteAction()
    let left = state.withLock { $0.leave() }
    left.subscription?.cancel()
    left.connection?.cancel()
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
    downstream.receive(contentsOf: batch)
  }

  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand { downstream.deliver }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["parent": parent, "downstream": downstream.subscriber])
  }
}

/// The upstream's subscription; cancelling it also leaves the connection. It keeps the publisher alive.
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
  /// next subscriber connects anew. Who subscribes from within the first subscriber's subscription, or while
  /// that connects, joins the connection. Of a connectable publisher of your own it makes a second one, as in
  /// Combine, and those who came before that count as one: the first to cancel disconnects all.
  ///
  ///     let cancellable = numbers.makeConnectable().autoconnect().sink { print($0) }
  @inlinable
  public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}
