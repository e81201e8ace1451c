import Glibc

extension Publishers {
  /// A publisher that stops the process in the debugger when a closure returns true.
  ///
  /// Made by `breakpoint` and `breakpointOnError`, which describe it.
  public struct Breakpoint<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// Called with the upstream's subscription; returns true to stop.
    public let receiveSubscription: ((any Subscription) -> Bool)?
    /// Called with each value; returns true to stop.
    public let receiveOutput: ((Upstream.Output) -> Bool)?
    /// Called with the completion; returns true to stop.
    public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

    /// Makes the publisher that `breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)` returns.
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Upstream.Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Publishers.Breakpoint<Upstream>.Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        BreakpointInner(
          downstream: Downstream(subscriber), receiveSubscription: receiveSubscription,
          receiveOutput: receiveOutput, receiveCompletion: receiveCompletion))
    }
  }
}

@usableFromInline
final class BreakpointInner<Input, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Breakpoint" }

  private let downstream: Downstream<Input, Failure>
  private let handshake = Handshake()
  private let receiveSubscription: ((any Subscription) -> Bool)?
  private let receiveOutput: ((Input) -> Bool)?
  private let receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)?

  @usableFromInline
  init(
    downstream: Downstream<Input, Failure>,
    receiveSubscription: ((any Subscription) -> Bool)?,
    receiveOutput: ((Input) -> Bool)?,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)?
  ) {
    self.downstream = downstream
    self.receiveSubscription = receiveSubscription
    self.receiveOutput = receiveOutput
    self.receiveCompletion = receiveCompletion
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    handshake.begin(subscription)
    if receiveSubscription?(subscription) == true { stop() }
    if let due = handshake.take() { downstream.receive(subscription: due) }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    if receiveOutput?(input) == true { stop() }
    return downstream.receive(input)
  }

  /// If no closure observes values, they bypass this subscriber.
  @usableFromInline
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    receiveOutput == nil ? downstream.deliver : { self.receive(contentsOf: $0) }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if receiveCompletion?(completion) == true { stop() }
    if let due = handshake.take() { downstream.receive(subscription: due) }
    downstream.receive(completion: completion)
  }

  private func stop() { raise(SIGTRAP) }
}

extension Publisher {
  /// Stops the process in the debugger when one of the closures returns true.
  ///
  /// The signal is `SIGTRAP`: without a debugger it ends the process. Everything passes through unchanged.
  /// Each closure is called on the thread on which its event happens.
  ///
  ///     let cancellable = prices.breakpoint(receiveOutput: { $0 < 0 }).sink { print($0) }
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil,
    receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops the process in the debugger when the upstream fails.
  ///
  /// The signal is `SIGTRAP`: without a debugger it ends the process. Everything passes through unchanged.
  ///
  ///     let cancellable = lines.breakpointOnError()
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { completion in
      if case .failure = completion { true } else { false }
    })
  }
}
