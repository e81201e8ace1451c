import Combine

extension Publisher {
  /// Each value with the one before it.
  public func pairwise() -> Publishers.Pairwise<Self> { Publishers.Pairwise(upstream: self) }
}

extension Publishers {
  public struct Pairwise<Upstream: Publisher>: Publisher {
    public typealias Output = (Upstream.Output, Upstream.Output)
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
      upstream.subscribe(Inner(downstream: subscriber))
    }
  }
}

extension Publishers.Pairwise {
  private final class Inner<Downstream: Subscriber>: Subscriber, Combine.Subscription, CustomStringConvertible
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Upstream.Output

    private let lock = NSRecursiveLock()
    private var downstream: Downstream?
    private var upstream: Combine.Subscription?
    private var last: Input?

    init(downstream: Downstream) { self.downstream = downstream }

    var description: String { "Pairwise" }

    func receive(subscription: Combine.Subscription) {
      upstream = subscription
      downstream?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.lock()
      defer {
        last = input
        lock.unlock()
      }
      guard let last = last, let downstream = downstream else { return .max(1) }
      return downstream.receive((last, input))
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      downstream?.receive(completion: completion)
      cancel()
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      upstream?.cancel()
      upstream = nil
      downstream = nil
    }
  }
}
