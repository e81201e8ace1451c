public import Streams

/// A subject that keeps its latest values and sends them to each new subscriber.
///
/// It keeps up to `bufferSize` values, each once, however many subscribers there are. A new subscriber gets the kept values as it
/// requests them, and then what is sent; a value that is being delivered already counts as kept. A subscriber that is behind on
/// demand misses nothing while it is behind by no more than the kept values; beyond that it misses the oldest. A subscriber with
/// enough demand misses nothing, whatever the size.
///
/// The completion comes after the values: a subscriber that still lacks some gets it when it has requested them, and a subscriber
/// that comes after the completion gets the kept values and then the completion.
///
/// Signals to the subscribers are serial: a thread that sends while another does waits its turn and delivers its value itself.
/// Each subscriber gets the values in the order in which they were sent, except those that it sends itself while it receives a
/// batch: these it gets immediately. An operator's closure that sends to the subject is overtaken: the value that it was called
/// with comes after what it has sent, and after kept values that come before that.
///
///     let messages = ReplaySubject<String, Never>(bufferSize: 2)
///     for message in ["a", "b", "c"] { messages.send(message) }
///     let cancellable = messages.sink { print($0) }  // b, c
///     messages.send("d")                         // d
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline let broadcast: ReplayBroadcast<Output, Failure>

  /// Makes a subject without values.
  ///
  /// - Parameter bufferSize: How many values are kept: by default all that are ever sent, none if it is 0.
  @inlinable
  public init(bufferSize: Int = .max) {
    precondition(bufferSize >= 0, "a subject keeps no fewer than 0 values")
    broadcast = ReplayBroadcast(size: bufferSize)
  }

  deinit { broadcast.cancelAllUpstreams() }

  /// Keeps the subscription and requests unlimited values from it. The subject cancels it when it is released.
  public func send(subscription: any Subscription) { broadcast.keepUpstream(subscription) }

  /// Attaches `subscriber`, which gets the kept values as it requests them.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    broadcast.attachReplaying(Downstream(subscriber), to: self)
  }

  /// Keeps a value and sends it to every subscriber that has demand for it.
  ///
  /// When it returns, this thread has delivered the value. While another thread sends, it waits; only if two threads would wait
  /// for each other forever, each in a delivery, is the value left to the other thread. Does nothing after the completion.
  @inlinable @inline(__always)
  public func send(_ input: Output) { broadcast.replay(input) }

  /// Keeps several values and sends each subscriber as many of them as it has demand for.
  @inlinable
  public func send(contentsOf batch: UnsafeBufferPointer<Output>) {
    if !batch.isEmpty { broadcast.replay(batch) }
  }

  /// Sends through the object that the subject shares with its subscribers.
  @inlinable
  public func _sender() -> ((UnsafeBufferPointer<Output>) -> Void)? {
    { [broadcast] in if !$0.isEmpty { broadcast.replay($0) } }
  }

  /// Sends values, at least one, as `send(contentsOf:)` does. Returns false, and sends nothing, after the completion.
  @inlinable @inline(__always)
  package func sendUnlessCompleted(_ batch: UnsafeBufferPointer<Output>) -> Bool { broadcast.replay(batch) }

  /// Whether a completion was sent.
  @inlinable @inline(__always)
  package var isCompleted: Bool { broadcast.hasCompleted }

  /// How many values subscribers that were behind have missed, counted for each subscriber.
  package var dropped: Int { broadcast.droppedCount }

  /// Completes every subscriber that has got all values, and each of the others when it has. Values that are sent later are
  /// dropped.
  public func send(completion: Subscribers.Completion<Failure>) { _ = complete(completion) }

  /// Completes as `send(completion:)` does. Returns false if the subject has completed already.
  package func complete(_ completion: Subscribers.Completion<Failure>) -> Bool {
    broadcast.end(with: completion)
  }
}
