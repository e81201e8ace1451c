/// The subject behind a published property.
final class PublishedSubject<Output>: Subject {
  typealias Failure = Never

  /// Those who are told before and after each change.
  private struct Told {
    var before: ObservableObjectPublisher?
    var after: ObservableObjectPublisher?
  }

  private let broadcast: LatestBroadcast<Output, Never>
  private let told = Lock(Told())

  init(_ value: Output) { broadcast = LatestBroadcast(.published, value) }

  deinit { broadcast.cancelUpstreams() }

  var value: Output { broadcast.value }

  /// The publisher of the object whose property this is.
  var objectWillChange: ObservableObjectPublisher? {
    get { told.withLock { $0.before } }
    set {
      var replaced = newValue
      told.withLock { swap(&$0.before, &replaced) }
    }
  }

  /// A publisher of the moments after the property has changed.
  var didChange: ObservableObjectPublisher {
    told.withLock { told in
      let publisher = told.after ?? ObservableObjectPublisher()
      told.after = publisher
      return publisher
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    broadcast.attach(Downstream(subscriber), to: self)
  }

  func send(subscription: any Subscription) { broadcast.addUpstream(subscription) }

  func send(_ input: Output) {
    let told = told.withLock { $0 }
    told.before?.send()
    withUnsafePointer(to: input) { broadcast.publish(one($0)) }
    told.after?.send()
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
