import Synchronization

/// The publishers that send before and after each change of a published property.
@usableFromInline
struct ChangeWatchers {
  @usableFromInline var before: ObservableObjectPublisher?
  @usableFromInline var after: ObservableObjectPublisher?

  @inlinable init() {}

  /// The publisher to send before a change that begins now. Without subscribers it is nil, and no reference is counted.
  @inlinable
  var awaiting: ObservableObjectPublisher? {
    if let before, before.isAwaited { return before }
    return nil
  }
}

/// The subject behind a published property.
@usableFromInline
package final class PublishedSubject<Output, Failure: Error>: Subject {
  @usableFromInline let broadcast: LatestBroadcast<Output, Failure>
  @usableFromInline let watchers = Lock(ChangeWatchers())
  /// Whether a watcher must be notified after a change. Read after the new value is stored: a watcher that sets this
  /// and then reads the old value is seen.
  @usableFromInline let isWatched = Atomic(false)

  @inlinable
  package init(_ value: Output) { broadcast = LatestBroadcast(.published, value) }

  deinit { broadcast.cancelUpstreams() }

  @inlinable
  package var value: Output { broadcast.value }

  /// The publisher of the object whose property this is.
  @inlinable
  package var objectWillChange: ObservableObjectPublisher? {
    get { watchers.withLock { $0.before } }
    set {
      if let newValue, newValue.isWatched.load(ordering: .relaxed) {
        isWatched.store(true, ordering: .relaxed)
      }
      var replaced = newValue
      watchers.withLock { swap(&$0.before, &replaced) }
    }
  }

  /// A publisher of the moments after the property has changed.
  @usableFromInline
  package var didChange: ObservableObjectPublisher {
    isWatched.store(true, ordering: .relaxed)
    return watchers.withLock { watchers in
      let publisher = watchers.after ?? ObservableObjectPublisher()
      watchers.after = publisher
      return publisher
    }
  }

  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.attach(Downstream(subscriber), to: self)
  }

  @usableFromInline
  package func send(subscription: any Subscription) { broadcast.addUpstream(subscription) }

  @inlinable
  package func send(_ input: Output) {
    var value = input
    _ = exchange(&value)
    // Releasing it may run the user's code, so that happens here, after the turn.
    withExtendedLifetime(value) {}
  }

  /// Sends a value, and puts the replaced one in its place. Returns false if the value is left to the thread that is
  /// sending.
  @inlinable
  package func exchange(_ value: inout Output) -> Bool {
    if let before = watchers.withLock({ $0.awaiting }) { return announce(&value, to: before) }
    let isReplaced = publish(&value)
    if isWatched.load(ordering: .relaxed) { notifyWatchers() }
    return isReplaced
  }

  @inlinable @inline(never)
  func announce(_ value: inout Output, to before: ObservableObjectPublisher) -> Bool {
    var isReplaced = false
    AnnouncedChange.making {
      before.announce()
      isReplaced = publish(&value)
    }
    if isWatched.load(ordering: .relaxed) { notifyWatchers() }
    return isReplaced
  }

  @inlinable @inline(__always)
  func publish(_ value: inout Output) -> Bool { broadcast.publish(&value) { leave($0) } }

  @usableFromInline @inline(never)
  func leave(_ value: UnsafePointer<Output>) {
    broadcast.leave(value) { [self] in
      if isWatched.load(ordering: .relaxed) { notifyWatchers() }
    }
  }

  @usableFromInline @inline(never)
  func notifyWatchers() {
    let watchers = watchers.withLock { $0 }
    if let before = watchers.before, before.isWatched.load(ordering: .relaxed) { before.notify(.made) }
    watchers.after?.send()
  }

  @usableFromInline
  package func send(completion: Subscribers.Completion<Failure>) {}
}

/// Sends what a publisher delivers into a published property, without keeping the property's owner alive.
final class PublishedSubscriber<Input>: UpstreamLink, Subscriber {
  typealias Failure = Never

  private weak var subject: PublishedSubject<Input, Never>?
  private let isComplete = Atomic(false)

  init(_ subject: PublishedSubject<Input, Never>) { self.subject = subject }

  func receive(subscription: any Subscription) {
    guard let subject else { return subscription.cancel() }
    if upstream.accept(subscription) { subject.send(subscription: self) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    subject?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { isComplete.store(true, ordering: .relaxed) }

  override var isOver: Bool { isComplete.load(ordering: .relaxed) || hasEnded }
}
