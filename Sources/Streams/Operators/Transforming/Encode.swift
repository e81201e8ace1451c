extension Publishers {
  /// A publisher that sends its upstream's values encoded.
  ///
  /// Made by ``Publisher/encode(encoder:)``, which describes it.
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher
  where Upstream.Output: Encodable {
    /// The values are what the encoder makes.
    public typealias Output = Coder.Output
    /// It fails as its upstream does, or with the encoder's error.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    private let encode: (Upstream.Output) throws -> Output

    /// Makes the publisher that `encode(encoder:)` returns.
    public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      encode = { try encoder.encode($0) }
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        CodingInner<Upstream.Output, Output, Upstream.Failure>(
          "Encode", downstream: Downstream(subscriber), convert: encode))
    }
  }
}

/// The inner subscriber of `Encode` and `Decode`.
final class CodingInner<Input, Output, Failure: Error>: Subscriber, Subscription, ReliesOnRules,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  let description: String
  private let downstream: Downstream<Output, any Error>
  private let convert: (Input) throws -> Output
  private let upstream = SubscriptionSlot()

  init(
    _ description: String, downstream: Downstream<Output, any Error>,
    convert: @escaping (Input) throws -> Output
  ) {
    self.description = description
    self.downstream = downstream
    self.convert = convert
  }

  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.phase != .ended else { return .refused() }
    do {
      return downstream.receive(try convert(input))
    } catch {
      finish(.failure(error)) { $0.cancel() }
      return .none
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    finish(completion.erased) { _ in }
  }

  private func finish(
    _ completion: Subscribers.Completion<any Error>, _ dispose: (any Subscription) -> Void
  ) {
    guard upstream.phase != .ended else { return }
    if let subscription = upstream.end() { dispose(subscription) }
    downstream.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  func cancel() { upstream.endIfSubscribed()?.cancel() }

  var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "downstream": downstream.subscriber, "finished": upstream.phase == .ended,
        "upstreamSubscription": upstream.current as Any,
      ])
  }
  var playgroundDescription: Any { description }
}

extension Publisher {
  /// Encodes every value; an error of the encoder fails the stream.
  ///
  /// Demand and cancellation pass through. On an error the upstream is cancelled, then the failure is sent.
  /// Values are encoded on the thread on which they arrive.
  ///
  ///     let cancellable = articles.encode(encoder: JSONEncoder())
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { upload($0) })
  public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder>
  where Output: Encodable {
    Publishers.Encode(upstream: self, encoder: encoder)
  }
}
