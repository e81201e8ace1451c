import Synchronization

/// A publisher of the moments before an object changes.
///
/// It ignores demand: a subscriber that has requested anything at all gets every signal. Operators that keep count of
/// demand trap when it sends more than they were asked for, as in Combine: `catch`, `tryCatch`, `replaceError`, `retry`,
/// `switchToLatest` and `drop(untilOutputFrom:)`. Where demand is limited, as in an asynchronous loop, put a buffer before them:
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
  /// Those who are told after each change. Once there are any, `isWatched` says so.
  private let watchers = Lock<PassthroughSubject<ObjectChange, Never>?>(nil)
  @usableFromInline let isWatched = Atomic(false)

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
    AnnouncedChange.during(isMade: false) { announce() }
    guard isWatched.load(ordering: .relaxed) || AnnouncedChange.isUnderWayHere else { return }
    AnnouncedChange.whenOver { [self] isMade in tell(isMade ? .made : .announced(isOver: true)) }
  }

  /// Tells the subscribers of a change that is made next, and told of by itself then.
  @usableFromInline
  func announce() { withUnsafePointer(to: ()) { broadcast.send(one($0)) } }

  /// Changes that have been made or announced by hand. The object's published properties know only when it is asked for
  /// its publisher again that somebody watches.
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
  func tell(_ change: ObjectChange) { watchers.withLock { $0 }?.send(change) }
}
