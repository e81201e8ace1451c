import Synchronization

/// A subject that keeps its latest value and sends it to each new subscriber.
///
/// A subscriber that is behind on demand misses values; when it requests again it gets the latest one immediately.
/// Signals to the subscribers are serial: a thread that sends while another is sending waits its turn, and delivers its
/// value itself.
///
///     let speed = CurrentValueSubject<Int, Never>(0)
///     let cancellable = speed.sink { print($0) }  // 0
///     speed.value = 30                        // 30
///     speed.send(50)                          // 50
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline let broadcast: LatestBroadcast<Output, Failure>

  /// Makes a subject with its first value.
  @inlinable
  public init(_ value: Output) {
    broadcast = LatestBroadcast(.currentValue, value)
  }

  deinit { broadcast.cancelUpstreams() }

  /// The latest value. Setting it sends it; after the completion it is only stored.
  ///
  /// May be used from any thread.
  @inlinable
  public var value: Output {
    get { broadcast.value }
    set { broadcast.update(newValue, always: true) }
  }

  /// Keeps the subscription and requests unlimited values from it. It is cancelled when the subject is released.
  public func send(subscription: any Subscription) { broadcast.addUpstream(subscription) }

  /// Attaches `subscriber`, which gets the latest value as soon as it requests something.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    broadcast.attach(Downstream(subscriber), to: self)
  }

  /// Replaces the value and sends it to every subscriber that has demand for it.
  ///
  /// The value has been delivered on this thread when this method returns. It waits while another thread is sending;
  /// only where two threads, each in a delivery, would deadlock is the value left to the other thread. Does nothing
  /// after the completion.
  @inlinable @inline(__always)
  public func send(_ input: Output) { broadcast.update(input) }

  /// Sends several values, to each subscriber as many as it has demand for. The last one is kept.
  @inlinable
  public func send(contentsOf batch: UnsafeBufferPointer<Output>) {
    if !batch.isEmpty { broadcast.update(each: batch) }
  }

  /// Sends through the part of the subject that it shares with its subscribers.
  @inlinable
  public func _sender() -> ((UnsafeBufferPointer<Output>) -> Void)? {
    { [broadcast] in if !$0.isEmpty { broadcast.update(each: $0) } }
  }

  /// Sends values, at least one, as `send(contentsOf:)` does. Returns false, and sends nothing, after the completion.
  @inlinable @inline(__always)
  package func sendUnlessCompleted(_ batch: UnsafeBufferPointer<Output>) -> Bool {
    broadcast.update(each: batch)
  }

  /// Sends a piece. Returns false, and sends nothing, after the completion.
  package func sendUnlessCompleted(_ piece: any _Piece<Output>) -> Bool { broadcast.send(piece) }

  /// Whether a completion was sent.
  @inlinable @inline(__always)
  package var isCompleted: Bool { broadcast.isCompleted.load(ordering: .acquiring) }

  /// Completes every subscriber. A subscriber that comes later gets the completion only.
  public func send(completion: Subscribers.Completion<Failure>) { broadcast.complete(completion) }

  /// Completes as `send(completion:)` does. Returns false if the subject has completed already.
  package func complete(_ completion: Subscribers.Completion<Failure>) -> Bool {
    broadcast.complete(completion)
  }
}
