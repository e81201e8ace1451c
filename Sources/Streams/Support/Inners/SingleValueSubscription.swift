/// The subscription to a publisher of exactly one value, which is sent at the first request.
///
/// It is not generic: its work is a closure made where the types are known. Unspecialized generic code would spend
/// more time on looking up types than on sending the value.
@usableFromInline
final class SingleValueSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  private struct State {
    /// Sends the value and the completion. Nil once that has happened or has been cancelled.
    var serve: (() -> Void)?
    var handshake = HandshakeThread()
    /// Whether another thread has requested the value during the handshake.
    var isRequested = false

    mutating func request() -> (() -> Void)? {
      isRequested = handshake.isElsewhere
      return isRequested ? nil : serve.take()
    }

    mutating func endHandshake() -> (() -> Void)? {
      handshake.end()
      return isRequested ? serve.take() : nil
    }
  }

  private let value: Any
  private let name: String
  private let state: Lock<State>

  @usableFromInline
  init(value: Any, name: String, serve: @escaping () -> Void) {
    self.value = value
    self.name = name
    state = Lock(State(serve: serve))
  }

  /// Gives `subscriber` a subscription to `value`.
  @inlinable
  static func give<S: Subscriber>(_ value: S.Input, to subscriber: S, name: String) {
    let subscription = SingleValueSubscription(value: value, name: name) {
      _ = subscriber.receive(value)
      subscriber.receive(completion: .finished)
    }
    subscriber.receive(subscription: subscription)
    subscription.handshakeIsOver()
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    precondition(demand != .none, "request more than no values")
    state.withLock { $0.request() }?()
  }

  @usableFromInline
  func handshakeIsOver() { state.withLock { $0.endHandshake() }?() }

  @usableFromInline
  func cancel() {
    BatchProgress.deliverGatheredIfAny()
    _ = state.withLock { $0.serve.take() }
  }

  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, unlabeledChildren: CollectionOfOne(value)) }
  @usableFromInline var playgroundDescription: Any { description }
}

/// The value of a publisher that sends a single one, known beforehand, at the first request.
@usableFromInline
struct SingleValue<Output> {
  @usableFromInline let output: Output
  @usableFromInline let isResult: Bool

  @inlinable
  init(_ output: Output, isResult: Bool = false) {
    self.output = output
    self.isResult = isResult
  }

  @inlinable
  func give<S: Subscriber>(to subscriber: S) where S.Input == Output {
    SingleValueSubscription.give(output, to: subscriber, name: isResult ? "Once" : "Just")
  }
}

extension Publisher {
  /// Its only value, if that is known beforehand: an operator needs no subscription to send it.
  @inlinable @inline(__always)
  var singleValue: SingleValue<Output>? {
    if let just = self as? Just<Output> { return SingleValue(just.output) }
    if let just = self as? Publishers.SetFailureType<Just<Output>, Failure> {
      return SingleValue(just.upstream.output)
    }
    if let once = self as? Result<Output, Failure>.Publisher {
      return (try? once.result.get()).map { SingleValue($0, isResult: true) }
    }
    return (self as? AnyPublisher<Output, Failure>)?.box.single?.value
  }
}
