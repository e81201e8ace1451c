extension Publishers {
  /// A publisher that sends what a decoder makes of its upstream's values.
  ///
  /// Made by ``Publisher/decode(type:decoder:)``, which describes it.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
  where Upstream.Output == Coder.Input {
    /// It fails as its upstream does, or with the decoder's error.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    private let decode: (Upstream.Output) throws -> Output

    /// Makes the publisher that `decode(type:decoder:)` returns.
    public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      decode = { try decoder.decode(Output.self, from: $0) }
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        CodingInner<Upstream.Output, Output, Upstream.Failure>(
          "Decode", downstream: Downstream(subscriber), convert: decode))
    }
  }
}

extension Publisher {
  /// Decodes every value; an error of the decoder fails the stream.
  ///
  /// Demand and cancellation pass through. On an error the upstream is cancelled, then the failure is sent.
  /// Values are decoded on the thread on which they arrive.
  ///
  ///     let cancellable = downloads.decode(type: Article.self, decoder: JSONDecoder())
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0.title) })
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}
