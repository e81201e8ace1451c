/// The subscription to a publisher of exactly one value, which is sent at the first request.
@usableFromInline
final class SingleValueSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  private let value: Output
  private let name: String
  /// The subscriber until it has been served or has cancelled. Called once, so it keeps its own type's table.
  private let subscriber: Lock<(any Subscriber<Output, Failure>)?>

  @usableFromInline
  init(_ value: Output, to subscriber: any Subscriber<Output, Failure>, name: String) {
    self.value = value
    self.name = name
    self.subscriber = Lock(subscriber)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    guard let subscriber = takeSubscriber() else { return }
    _ = subscriber.receive(value)
    subscriber.receive(completion: .finished)
  }

  @usableFromInline
  func cancel() { _ = takeSubscriber() }

  private func takeSubscriber() -> (any Subscriber<Output, Failure>)? {
    subscriber.withLock { $0.take() }
  }

  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, unlabeledChildren: CollectionOfOne(value)) }
  @usableFromInline var playgroundDescription: Any { description }
}
