/// The subject behind a published property.
final class PublishedSubject<Output>: Subject {
  typealias Failure = Never

  private let broadcast: LatestBroadcast<Output, Never>
  private let owner = Lock<ObservableObjectPublisher?>(nil)

  init(_ value: Output) { broadcast = LatestBroadcast(.published, value) }

  deinit { broadcast.cancelUpstreams() }

  var value: Output { broadcast.value }

  /// The publisher of the object whose property this is.
  var objectWillChange: ObservableObjectPublisher? {
    get { owner.withLock { $0 } }
    set {
      var replaced = newValue
      owner.withLock { swap(&$0, &replaced) }
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    broadcast.attach(Downstream(subscriber), to: self)
  }

  func send(subscription: any Subscription) { broadcast.addUpstream(subscription) }

  func send(_ input: Output) {
    objectWillChange?.send()
    withUnsafePointer(to: input) { broadcast.publish(one($0)) }
  }

  func send(completion: Subscribers.Completion<Never>) {}
}

/// Sends what a publisher delivers into a published property, without keeping the property's owner alive.
final class PublishedSubscriber<Input>: Subscriber {
  typealias Failure = Never

  private weak var subject: PublishedSubject<Input>?

  init(_ subject: PublishedSubject<Input>) { self.subject = subject }

  func receive(subscription: any Subscription) { subject?.send(subscription: subscription) }

  func receive(_ input: Input) -> Subscribers.Demand {
    subject?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
