extension Publishers {
  /// A publisher that writes a line for everything that passes through it.
  ///
  /// Made by ``Publisher/print(_:to:)``, which describes it.
  public struct Print<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// What each line begins with.
    public let prefix: String
    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// Where the lines go; standard output if `nil`.
    public let stream: (any TextOutputStream)?

    /// Makes the publisher that `print(_:to:)` returns.
    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(PrintInner(downstream: Downstream(subscriber), prefix: prefix, stream: stream))
    }
  }
}

@usableFromInline
final class PrintInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Print" }

  private let downstream: Downstream<Input, Failure>
  private let prefix: String
  private let stream: (any TextOutputStream)?
  private let upstream = SubscriptionSlot()
  private let handshake = Handshake()

  @usableFromInline
  init(downstream: Downstream<Input, Failure>, prefix: String, stream: (any TextOutputStream)?) {
    self.downstream = downstream
    self.prefix = prefix.isEmpty ? "" : "\(prefix): "
    self.stream = stream
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.phase == .awaiting { handshake.begin(self) }
    log("receive subscription: (\(subscription))")
    guard upstream.accept(subscription), let due = handshake.take() else { return }
    downstream.receive(subscription: due)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    log("receive value: (\(input))")
    let demand = downstream.receive(input)
    if demand != .none { log("\(describe(demand)) (synchronous)") }
    return demand
  }

  @usableFromInline
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    deliver(singly: batch, until: upstream) { receive($0) }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: log("receive finished")
    case .failure(let error): log("receive error: (\(error))")
    }
    let released = upstream.end()
    if let due = handshake.take() { downstream.receive(subscription: due) }
    downstream.receive(completion: completion)
    withExtendedLifetime(released) {}
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    log(describe(demand))
    upstream.current?.request(demand)
  }

  @usableFromInline
  func cancel() {
    log("receive cancel")
    upstream.endIfSubscribed()?.cancel()
  }

  private func describe(_ demand: Subscribers.Demand) -> String {
    demand.max.map { "request max: (\($0))" } ?? "request unlimited"
  }

  private func log(_ text: String) {
    if let stream {
      var target = PrintTarget(stream: stream)
      Swift.print(prefix + text, to: &target)
    } else {
      Swift.print(prefix + text)
    }
  }
}

/// Wraps a stream of unknown type for `Swift.print`.
private struct PrintTarget: TextOutputStream {
  var stream: any TextOutputStream

  mutating func write(_ string: String) { stream.write(string) }
}

extension Publisher {
  /// Writes a line for the subscription, for each value, request and returned demand, for the completion and
  /// the cancellation.
  ///
  /// Everything passes through unchanged, one value at a time. A line is written on the thread on which its
  /// event happens.
  ///
  ///     let cancellable = [1].publisher.print("numbers").sink { _ in }
  ///     // numbers: receive subscription: ([1])
  ///     // numbers: request unlimited
  ///     // numbers: receive value: (1)
  ///     // numbers: receive finished
  ///
  /// - Parameters:
  ///   - prefix: What each line begins with, followed by a colon if it is not empty.
  ///   - stream: Where the lines go; standard output if `nil`.
  public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self>
  {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}
