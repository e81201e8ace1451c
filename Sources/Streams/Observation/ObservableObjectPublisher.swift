import Synchronization

/// A publisher of the moments before an object changes.
///
/// It ignores demand: a subscriber that has requested anything at all gets every signal. Operators that keep count of
/// demand trap when it sends more than was requested, as in Combine: `catch`, `tryCatch`, `replaceError`, `retry`,
/// `switchToLatest` and `drop(untilOutputFrom:)`. Where demand is limited, as in an asynchronous loop, put a buffer
/// before them:
///
///     model.objectWillChange
///       .buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
///       .drop(untilOutputFrom: ready)
public final class ObservableObjectPublisher: Publisher {
  /// A signal carries nothing.
  public typealias Output = Void
  /// It cannot fail.
  public typealias Failure = Never

  private let broadcast = Broadcast<Void, Never>(.objectWillChange)
  /// Notifies watchers after each change. Once there are any, `isWatched` is true.
  private let watchers = Lock<PassthroughSubject<ObjectChange, Never>?>(nil)
  @usableFromInline let isWatched = Atomic(false)

  /// Makes a publisher for one object.
  public init() {}

  deinit { broadcast.abandon() }

  /// Attaches `subscriber`, which is notified of every change once it has requested something.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    broadcast.attach(Downstream(subscriber), to: broadcast)
  }

  /// Whether any subscriber has requested signals.
  @usableFromInline
  var isAwaited: Bool { broadcast.hasAnyDemand.load(ordering: .relaxed) }

  /// Notifies the subscribers that the object is about to change.
  ///
  /// An object calls this before it changes something that is not a ``Published`` property. May be called from any
  /// thread.
  public func send() {
    AnnouncedChange.during(isMade: false) { announce() }
    guard isWatched.load(ordering: .relaxed) || AnnouncedChange.isUnderWayHere else { return }
    AnnouncedChange.whenOver { [self] isMade in notify(isMade ? .made : .announced(isOver: true)) }
  }

  /// Notifies the subscribers of a change that the caller makes next, and then reports.
  @usableFromInline
  func announce() { withUnsafePointer(to: ()) { broadcast.send(one($0)) } }

  /// Changes that have been made or announced by hand. The object's published properties notice that they are watched
  /// only when the object is asked for its publisher again.
  var changes: PassthroughSubject<ObjectChange, Never> {
    let changes = watchers.withLock { watchers in
      let changes = watchers ?? PassthroughSubject()
      watchers = changes
      return changes
    }
    isWatched.store(true, ordering: .relaxed)
    return changes
  }

  @usableFromInline
  func notify(_ change: ObjectChange) { watchers.withLock { $0 }?.send(change) }
}
