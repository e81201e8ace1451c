import Synchronization

/// A subject that passes values on to its subscribers and keeps none.
///
/// A value for which a subscriber has no demand is dropped for that subscriber. Signals to the subscribers are
/// serial: a value sent while another thread is sending is delivered by that thread.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline let broadcast = Broadcast<Output, Failure>()

  public init() {}

  deinit { broadcast.cancelUpstreams() }

  /// Keeps the subscription, and requests unlimited values from it once a subscriber has requested some.
  public func send(subscription: any Subscription) {
    if broadcast.addUpstream(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    attach(Downstream(subscriber))
  }

  @usableFromInline
  func attach(_ downstream: Downstream<Output, Failure>) {
    let conduit = Conduit(subject: self, downstream: downstream)
    if let completion = broadcast.insert(conduit) {
      downstream.receive(subscription: Subscriptions.empty)
      downstream.receive(completion: completion)
    } else {
      downstream.receive(subscription: PassthroughSubscription(conduit))
    }
  }

  /// Sends a value to every subscriber that has demand for it.
  @inlinable
  public func send(_ input: Output) {
    withUnsafePointer(to: input) { broadcast.send(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  /// Sends several values, to each subscriber as many as it has demand for.
  @inlinable
  public func send(contentsOf batch: UnsafeBufferPointer<Output>) {
    broadcast.send(batch)
  }

  /// Whether a completion was sent.
  @inlinable @inline(__always)
  package var isCompleted: Bool { broadcast.isCompleted.load(ordering: .acquiring) }

  /// Completes every subscriber. What is sent after it is dropped.
  public func send(completion: Subscribers.Completion<Failure>) {
    broadcast.complete(completion)
  }
}

private final class PassthroughSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  private let conduit: Conduit<Output, Failure>

  init(_ conduit: Conduit<Output, Failure>) { self.conduit = conduit }

  private var subject: PassthroughSubject<Output, Failure>? {
    conduit.links.withLock { $0?.subject }.map { unsafeDowncast($0, to: PassthroughSubject.self) }
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    guard let subject else { return }
    conduit.demand.add(demand)
    subject.broadcast.acknowledgeDemand()
  }

  func cancel() { subject?.broadcast.remove(conduit) }

  var description: String { "PassthroughSubject" }
  var customMirror: Mirror {
    let links = conduit.links.withLock { $0 }
    return Mirror(
      self,
      children: [
        "parent": links?.subject as Any,
        "downstream": links?.subscriber as Any,
        "demand": conduit.demand.current,
        "subject": links?.subject as Any,
      ])
  }
  var playgroundDescription: Any { description }
}
