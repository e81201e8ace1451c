import Synchronization

extension Publishers {
  /// A publisher that subscribes to its upstream again when that fails.
  ///
  /// Made by ``Publisher/retry(_:)``, which describes it.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How often to try again; without a limit if it is `nil` or negative.
    public let retries: Int?
    /// Whether a ``ConclusiveError`` that says so is passed on, however many retries are left.
    @usableFromInline package var isStrict = false

    /// Makes the publisher that `retry(_:)` returns.
    @inlinable
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = RetryInner(downstream: Downstream(subscriber), retries: retries, isStrict: isStrict) {
        [upstream] attempt in upstream.subscribe(attempt)
      }
      inner.start()
    }
  }
}

extension Publishers.Retry: Strict {}

/// A failure that may concern more than the stream, such as a request to end the program.
package protocol ConclusiveError: Error {
  /// Whether another attempt must not follow.
  var isConclusive: Bool { get }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

/// The subscription of a retry, whichever attempt is under way.
@usableFromInline
package final class RetryInner<Input, Failure: Error>: Subscription, Inner {
  /// Called after a failure if attempts wait. Returns what schedules the next attempt, or nil to end the stream; an
  /// error that it throws ends the stream instead.
  @usableFromInline
  package typealias Pause = (Failure) throws(Failure) -> RetryTiming?

  @usableFromInline package static var name: String { "Retry" }
  @usableFromInline package var description: String { cause == .failure ? Self.name : "Repeat" }

  /// Which end of the upstream leads to another attempt; the other one ends the stream.
  @usableFromInline
  package enum Cause { case failure, finish }

  /// Released at the end.
  @usableFromInline
  struct Links {
    @usableFromInline let downstream: Downstream<Input, Failure>
    /// Subscribes to the upstream.
    let attach: (RetryAttempt<Input, Failure>) -> Void
  }

  private let cause: Cause
  private let isStrict: Bool
  private let pause: Pause?
  @usableFromInline let frames = DeliveryFrames()
  private let drops = Drops()
  @usableFromInline let state: Lock<RetryState<Links>>

  @usableFromInline
  package init(
    downstream: Downstream<Input, Failure>, retries: Int?, cause: Cause = .failure, isStrict: Bool = false,
    pause: Pause? = nil,
    attach: @escaping (RetryAttempt<Input, Failure>) -> Void
  ) {
    self.cause = cause
    self.isStrict = isStrict
    self.pause = pause
    state = Lock(RetryState(links: Links(downstream: downstream, attach: attach), retries: retries))
  }

  @usableFromInline
  package func start() {
    if let links = state.withLock({ $0.begin() }) { subscribe(links) }
  }

  // MARK: The attempt

  func receive(subscription: any Subscription) {
    switch state.withLock({ $0.accept(subscription) }) {
    case .cancel:
      subscription.cancel()
    case .keep(let links, let isFirst, let demand):
      if isFirst { links.downstream.receive(subscription: self) }
      if demand != .none { subscription.request(demand) }
    }
  }

  /// Demand that the downstream returns is requested.
  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard let links = state.withLock({ $0.spend(batch.count) }) else { return .refused() }
    let more = frames.delivering(from: self) { links.downstream.receive(contentsOf: batch) }
    if more != .none { request(more) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch (completion, cause) {
    case (.failure(let error), .failure):
      do throws(Failure) {
        try retry(after: error)
      } catch {
        end(.failure(error))
      }
    case (.finished, .finish): goOn(after: completion)
    default: end(completion)
    }
  }

  /// Throws the error that ends the stream.
  private func retry(after error: Failure) throws(Failure) {
    if isStrict, (error as? any ConclusiveError)?.isConclusive == true { throw error }
    var timing: RetryTiming?
    if let pause {
      guard state.withLock({ $0.links != nil }) else { return }
      timing = try pause(error)
      if timing == nil { throw error }
    }
    goOn(after: .failure(error), timing)
  }

  private func goOn(after completion: Subscribers.Completion<Failure>, _ timing: RetryTiming? = nil) {
    frames.publisherHasEnded()
    switch state.withLock({ $0.fail(timing) }).0 {
    case .ignore: break
    case .end(let links): links.downstream.receive(completion: completion)
    case .resubscribe(let links): subscribe(links)
    case .wait(let number, let schedule):
      let timer = schedule { self.goOn() }
      if !state.withLock({ $0.keep(timer, for: number) }) { timer.cancel() }
    }
  }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    state.withLock { $0.end() }?.links.downstream.receive(completion: completion)
  }

  private func goOn() {
    let (links, timer) = state.withLock { $0.goOn() }
    timer?.cancel()
    if let links { subscribe(links) }
  }

  /// If an attempt fails while it is being subscribed to, the next one begins after that: nothing nests, and no other
  /// thread sends values of the next attempt before the downstream has received its subscription.
  private func subscribe(_ links: Links) {
    drops.counting {
      repeat { links.attach(RetryAttempt(self)) } while state.withLock { $0.needsAnotherRound() }
    }
  }

  // MARK: The downstream

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.add(demand) }?.request(demand)
  }

  @usableFromInline
  package func cancel() {
    BatchProgress.noteAction()
    let ended = state.withLock { $0.end() }
    ended?.timer?.cancel()
    ended?.subscription?.cancel()
  }
}

/// The subscriber to the upstream in one attempt. Signals after the attempt's end are dropped.
@usableFromInline
package final class RetryAttempt<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline package static var name: String { "Retry" }
  @usableFromInline package var description: String { parent.description }

  @usableFromInline let parent: RetryInner<Input, Failure>
  @usableFromInline let isOver = Atomic(false)

  @usableFromInline
  init(_ parent: RetryInner<Input, Failure>) { self.parent = parent }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    if isOver.load(ordering: .relaxed) {
      subscription.cancel()
    } else {
      parent.receive(subscription: subscription)
    }
  }

  @inlinable
  package func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return parent.frames.run(batch, self, { $0.deliver($1) }, from: { $0.parent })
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    isOver.load(ordering: .relaxed) ? .none : parent.receive(contentsOf: batch)
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    parent.frames.run { [self] in
      if !isOver.exchange(true, ordering: .relaxed) { parent.receive(completion: completion) }
    }
  }

  @usableFromInline package var combineIdentifier: CombineIdentifier { parent.combineIdentifier }
  @usableFromInline package func request(_ demand: Subscribers.Demand) { parent.request(demand) }
  @usableFromInline package func cancel() { parent.cancel() }
}

extension Publisher {
  /// Subscribes to this publisher again when it fails, at most `retries` times.
  ///
  /// The demand that is left is requested from the next subscription. After the last attempt a failure passes
  /// through; finishing does at any time. Cancelling ends the attempts. As in Combine, a value without demand traps.
  /// The upstream is subscribed again on the thread on which it failed.
  ///
  ///     let cancellable = request.retry(3).sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
  @inlinable
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}
