public import Streams

/// A subject that keeps its latest values and sends them to each new subscriber.
///
/// It keeps `bufferSize` values, each once, however many subscribers there are. A new subscriber gets what is kept, as it
/// requests it, and then what is sent; a value that is being delivered is kept already. One that is behind on demand
/// misses nothing as long as it is behind by no more than what is kept; beyond that it misses the oldest. Who has
/// enough demand misses nothing, whatever the size is.
///
/// The completion comes after the values: a subscriber that lacks some gets it when it has requested them, and one
/// that comes after the completion gets what is kept and then the completion.
///
/// Signals to the subscribers are serial: a thread that sends while another does waits its turn, and delivers its value
/// itself. Each subscriber gets the values in the order in which they were sent, but for those that one sends while it is
/// given a batch: it gets them at once.
///
///     let messages = ReplaySubject<String, Never>(bufferSize: 2)
///     for message in ["a", "b", "c"] { messages.send(message) }
///     let cancellable = messages.sink { print($0) }  // b, c
///     messages.send("d")                         // d
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline let broadcast: ReplayBroadcast<Output, Failure>

  /// Makes a subject without values.
  ///
  /// - Parameter bufferSize: How many values are kept; all that are ever sent, if it is left out. None, if it is 0.
  public init(bufferSize: Int = .max) {
    precondition(bufferSize >= 0, "a subject keeps no fewer than 0 values")
    broadcast = ReplayBroadcast(size: bufferSize)
  }

  deinit { broadcast.cancelAllUpstreams() }

  /// Keeps the subscription and requests unlimited values from it. It is cancelled when the subject goes away.
  public func send(subscription: any Subscription) { broadcast.keepUpstream(subscription) }

  /// Attaches `subscriber`, which gets the values that are kept as it requests them.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    broadcast.attachReplaying(Downstream(subscriber), to: self)
  }

  /// Keeps a value and sends it to every subscriber that has demand for it.
  ///
  /// When it returns, that has been done, on this thread. While another thread is sending, it waits; only where two
  /// threads would wait for each other for ever, each in a delivery, is the value left to the other thread. Does
  /// nothing after the completion.
  @inlinable @inline(__always)
  public func send(_ input: Output) { broadcast.replay(input) }

  /// Keeps several values and sends them, to each subscriber as many as it has demand for.
  @inlinable
  public func send(contentsOf batch: UnsafeBufferPointer<Output>) {
    if !batch.isEmpty { broadcast.replay(batch) }
  }

  /// Sends by what the subject shares with its subscribers.
  @inlinable
  public func _sender() -> ((UnsafeBufferPointer<Output>) -> Void)? {
    { [broadcast] in if !$0.isEmpty { broadcast.replay($0) } }
  }

  /// Sends values, at least one, as `send(contentsOf:)` does. Returns false, and sends nothing, after the completion.
  @inlinable @inline(__always)
  package func sendUnlessCompleted(_ batch: UnsafeBufferPointer<Output>) -> Bool {
    if isCompleted { return false }
    broadcast.replay(batch)
    return true
  }

  /// Whether a completion was sent.
  @inlinable @inline(__always)
  package var isCompleted: Bool { broadcast.hasCompleted }

  /// How many values were no longer kept when a subscriber that was behind could have had them, counted for each.
  package var dropped: Int { broadcast.droppedCount }

  /// Completes every subscriber that has got all values, and the others when they have. What is sent after it is
  /// dropped.
  public func send(completion: Subscribers.Completion<Failure>) { broadcast.end(with: completion) }
}
