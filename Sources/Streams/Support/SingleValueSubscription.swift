/// The subscription to a publisher of exactly one value, which is sent at the first request.
///
/// It knows no types: what it does is a closure formed where they are known. Code that knows them at run time only
/// would spend more time on looking up types than on sending the value.
@usableFromInline
final class SingleValueSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  private let value: Any
  private let name: String
  /// Sends the value and the completion. Nil once that has been done, or been cancelled.
  private let serve: Lock<(() -> Void)?>

  @usableFromInline
  init(value: Any, name: String, serve: @escaping () -> Void) {
    self.value = value
    self.name = name
    self.serve = Lock(serve)
  }

  @inlinable
  convenience init<S: Subscriber>(_ value: S.Input, to subscriber: S, name: String) {
    self.init(value: value, name: name) {
      _ = subscriber.receive(value)
      subscriber.receive(completion: .finished)
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    take()?()
  }

  @usableFromInline
  func cancel() { _ = take() }

  private func take() -> (() -> Void)? { serve.withLock { $0.take() } }

  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, unlabeledChildren: CollectionOfOne(value)) }
  @usableFromInline var playgroundDescription: Any { description }
}
