import Synchronization

/// A subject that passes values on to its subscribers and keeps none.
///
/// A value for which a subscriber has no demand is dropped for that subscriber. Signals to the subscribers are
/// serial: a thread that sends while another is sending waits its turn, and delivers its value itself.
///
///     let prices = PassthroughSubject<Double, Never>()
///     let cancellable = prices.sink { print($0) }
///     prices.send(9.99)
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline package let broadcast = Broadcast<Output, Failure>(.passthrough)

  /// Makes a subject without subscribers.
  public init() {}

  deinit { broadcast.cancelUpstreams() }

  /// Keeps the subscription, and requests unlimited values from it once a subscriber has requested some. It is
  /// cancelled when the subject is released.
  public func send(subscription: any Subscription) { broadcast.addUpstream(subscription) }

  /// Attaches `subscriber`, or completes it immediately if the subject has completed.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    broadcast.attach(Downstream(subscriber), to: self)
  }

  /// Sends a value to every subscriber that has demand for it.
  ///
  /// When it returns, the value has been delivered on this thread, or dropped where there was no demand. May be
  /// called from any thread: while another thread is sending, it waits. May be called from within a subscriber's
  /// methods: the value is delivered immediately. Only where two threads, each in a delivery, would deadlock is the
  /// value left to the other thread. Does nothing after the completion.
  @inlinable @inline(__always)
  public func send(_ input: Output) {
    broadcast.send(input)
  }

  /// Sends several values, to each subscriber as many as it has demand for.
  ///
  /// A subscriber that can take batches gets them in one call. May be called from any thread. Does nothing
  /// after the completion.
  @inlinable
  public func send(contentsOf batch: UnsafeBufferPointer<Output>) {
    if !batch.isEmpty { broadcast.send(batch) }
  }

  /// Sends through the part of the subject that it shares with its subscribers.
  @inlinable
  public func _sender() -> ((UnsafeBufferPointer<Output>) -> Void)? {
    { [broadcast] in if !$0.isEmpty { broadcast.send($0) } }
  }

  /// Sends values, at least one, as `send(contentsOf:)` does. Returns false, and sends nothing, after the completion.
  @inlinable @inline(__always)
  package func sendUnlessCompleted(_ batch: UnsafeBufferPointer<Output>) -> Bool {
    broadcast.sendUnlessCompleted(batch)
  }

  /// Sends a piece. Returns false, and sends nothing, after the completion.
  package func sendUnlessCompleted(_ piece: any _Piece<Output>) -> Bool { broadcast.send(piece) }

  /// Whether a completion was sent.
  @inlinable @inline(__always)
  package var isCompleted: Bool { broadcast.isCompleted.load(ordering: .acquiring) }

  /// How many values were dropped for lack of demand, counted for each subscriber that had none.
  package var dropped: Int { broadcast.dropped.load(ordering: .relaxed) }

  /// Completes every subscriber. Later values are dropped, and a later subscriber gets only the completion.
  public func send(completion: Subscribers.Completion<Failure>) { broadcast.complete(completion) }

  /// Completes as `send(completion:)` does. Returns false if the subject has completed already.
  package func complete(_ completion: Subscribers.Completion<Failure>) -> Bool {
    broadcast.complete(completion)
  }
}
