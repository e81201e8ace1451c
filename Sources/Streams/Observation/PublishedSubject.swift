/// The subject behind a published property.
@usableFromInline
package final class PublishedSubject<Output, Failure: Error>: Subject {
  @usableFromInline let broadcast: LatestBroadcast<Output, Failure>
  @usableFromInline let owner = Lock<ObservableObjectPublisher?>(nil)

  @inlinable
  package init(_ value: Output) { broadcast = LatestBroadcast(.published, value) }

  deinit { broadcast.cancelUpstreams() }

  @inlinable
  package var value: Output { broadcast.value }

  /// The publisher of the object whose property this is.
  @inlinable
  package var objectWillChange: ObservableObjectPublisher? {
    get { owner.withLock { $0 } }
    set {
      var replaced = newValue
      owner.withLock { swap(&$0, &replaced) }
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
    objectWillChange?.send()
    withUnsafePointer(to: input) { broadcast.publish(one($0)) }
  }

  @usableFromInline
  package func send(completion: Subscribers.Completion<Failure>) {}
}

/// Sends what a publisher delivers into a published property, without keeping the property's owner alive.
final class PublishedSubscriber<Input>: Subscriber {
  typealias Failure = Never

  private weak var subject: PublishedSubject<Input, Never>?

  init(_ subject: PublishedSubject<Input, Never>) { self.subject = subject }

  func receive(subscription: any Subscription) { subject?.send(subscription: subscription) }

  func receive(_ input: Input) -> Subscribers.Demand {
    subject?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
