/// A publisher of the moments before an object changes.
///
/// It ignores demand: a subscriber that has requested anything at all gets every signal.
public final class ObservableObjectPublisher: Publisher {
  /// A signal carries nothing.
  public typealias Output = Void
  /// It cannot fail.
  public typealias Failure = Never

  private let broadcast = Broadcast<Void, Never>(.objectWillChange)

  /// Makes a publisher for one object.
  public init() {}

  deinit { broadcast.abandon() }

  /// Attaches `subscriber`, which is told of every change once it has requested something.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    broadcast.attach(Downstream(subscriber), to: broadcast)
  }

  /// Whether anybody has asked to be told.
  @usableFromInline
  var isAwaited: Bool { broadcast.hasAnyDemand.load(ordering: .relaxed) }

  /// Tells the subscribers that the object is about to change.
  ///
  /// An object calls this before it changes something that is no ``Published`` property. May be called from
  /// any thread.
  public func send() {
    withUnsafePointer(to: ()) { broadcast.send(one($0)) }
  }
}
