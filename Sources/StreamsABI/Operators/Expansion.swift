import Streams

/// Combine's flatMap, with an upstream that is cancelled when the stream fails.
///
/// Combine leaves the upstream running when one of the publishers made of its values fails. Nothing could end it then:
/// the subscription is not to be had from C once the stream has failed, and the callback's context would never be let
/// go of. It is also what a callback that fails is documented to do.
struct Expansion: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher
  let maxPublishers: Subscribers.Demand
  let transform: (Value) -> ValuePublisher

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    let valve = Valve()
    Valved(upstream: upstream, valve: valve)
      .flatMap(maxPublishers: maxPublishers, transform)
      .handleEvents(receiveCompletion: { if case .failure = $0 { valve.cancel() } })
      .subscribe(subscriber)
  }
}

/// The upstream's subscription, as flatMap has it, and where a running expansion gets at it. It knows nothing of flatMap,
/// which keeps it also after a failure: that would be a cycle.
private final class Valve: Subscription, Inner {
  static var name: String { "FlatMap" }

  let slot = SubscriptionSlot()

  /// An expansion to at most 0 publishers asks for 0 values, which sources do not take for an answer.
  func request(_ demand: Subscribers.Demand) {
    if demand != .none { slot.current?.request(demand) }
  }

  func cancel() { slot.end()?.cancel() }
}

private struct Valved: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher
  let valve: Valve

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    upstream.subscribe(ValvedInner(downstream: Downstream(subscriber), valve: valve))
  }
}

private final class ValvedInner: Subscriber {
  private let downstream: Downstream<Value, StreamError>
  private let valve: Valve

  init(downstream: Downstream<Value, StreamError>, valve: Valve) {
    self.downstream = downstream
    self.valve = valve
  }

  func receive(subscription: any Subscription) {
    if valve.slot.accept(subscription) { downstream.receive(subscription: valve) }
  }

  func receive(_ input: Value) -> Subscribers.Demand { downstream.receive(input) }

  func receive(completion: Subscribers.Completion<StreamError>) {
    let ended = valve.slot.end()
    downstream.receive(completion: completion)
    withExtendedLifetime(ended) {}
  }
}
