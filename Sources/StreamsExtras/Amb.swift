public import Streams

extension Publishers {
  /// A publisher that sends the signals of one of several publishers: the first to send anything.
  ///
  /// Made by `Publisher/amb(with:)`, which describes it, and by `amb()` of a collection.
  public struct AmbMany<Upstream: Publisher>: Publisher {
    /// The values are those of one of the publishers.
    public typealias Output = Upstream.Output
    /// It fails as that publisher does.
    public typealias Failure = Upstream.Failure

    /// The publishers, of which one is chosen.
    public let publishers: [Upstream]

    /// Makes a publisher of the publishers in a sequence. Without any it finishes immediately.
    public init<S: Swift.Sequence<Upstream>>(_ publishers: S) { self.publishers = Array(publishers) }

    /// Subscribes to the publishers in order on behalf of `subscriber`, until one has sent something.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = AmbInner(Downstream(subscriber), count: publishers.count)
      inner.begin()
      for (index, publisher) in publishers.enumerated() {
        guard inner.isOpen else { return }
        publisher.subscribe(AmbChild(inner, index))
      }
      if publishers.isEmpty { inner.finishEmpty() }
    }
  }
}

extension Publishers.AmbMany: Equatable where Upstream: Equatable {}

/// The subscription. It forwards only the winner's signals, and these are serial.
private final class AmbInner<Output, Failure: Error>: Subscription, Inner {
  static var name: String { "Amb" }

  private final class Branch {
    let upstream = SubscriptionSlot()
  }

  private let downstream: Downstream<Output, Failure>
  private let branches: [Branch]
  private let state: Lock<AmbState>

  init(_ downstream: Downstream<Output, Failure>, count: Int) {
    self.downstream = downstream
    branches = (0..<count).map { _ in Branch() }
    state = Lock(AmbState(count: count))
  }

  func begin() { downstream.receive(subscription: self) }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func finishEmpty() {
    if state.withLock({ $0.end() }) { downstream.receive(completion: .finished) }
  }

  // MARK: The downstream

  func request(_ demand: Subscribers.Demand) {
    for index in state.withLock({ $0.request(demand) }) { branches[index].upstream.current?.request(demand) }
  }

  func cancel() {
    BatchProgress.noteAction()
    _ = state.withLock { $0.end() }
    cancelAll(except: nil)
  }

  private func cancelAll(except winner: Int?) {
    for (index, branch) in branches.enumerated() where index != winner { branch.upstream.end()?.cancel() }
  }

  // MARK: The publishers

  func receive(subscription: any Subscription, from index: Int) {
    guard branches[index].upstream.accept(subscription) else { return }
    let demand = state.withLock { $0.accept(index) }
    if demand != .none { subscription.request(demand) }
  }

  func receive(_ batch: UnsafeBufferPointer<Output>, from index: Int) -> Subscribers.Demand {
    guard branches[index].upstream.phase == .subscribed else { return .refused() }
    let turn = state.withLock { $0.send(index) }
    if case .lost = turn { return .refused() }
    let demand = downstream.receive(contentsOf: batch)
    // Afterwards: cancelling a publisher might make the winner send, and that would come before this value.
    if case .won = turn { cancelAll(except: index) }
    return demand
  }

  func receive(completion: Subscribers.Completion<Failure>, from index: Int) {
    guard let ended = branches[index].upstream.end() else { return }
    let turn = state.withLock { state in
      if case .lost = state.send(index) { return false }
      return state.end()
    }
    guard turn else { return }
    cancelAll(except: index)
    downstream.receive(completion: completion)
    withExtendedLifetime(ended) {}
  }
}

private final class AmbChild<Input, Failure: Error>: BatchSubscriber, Inner {
  static var name: String { "Amb" }

  private let parent: AmbInner<Input, Failure>
  private let index: Int

  init(_ parent: AmbInner<Input, Failure>, _ index: Int) {
    self.parent = parent
    self.index = index
  }

  func receive(subscription: any Subscription) { parent.receive(subscription: subscription, from: index) }

  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return parent.receive(batch, from: index)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    parent.receive(completion: completion, from: index)
  }
}

extension Publisher {
  /// Sends the signals of this publisher or of another one, whichever sends a value or ends first.
  ///
  /// The slower one is cancelled. Until then both get the whole demand. They are subscribed to in order, the other one only if
  /// this one has not sent anything yet. Completion, failure and cancellation are the winner's.
  ///
  ///     let cancellable = nearServer.amb(with: farServer).sink { show($0) }
  public func amb<Other: Publisher<Output, Failure>>(
    with other: Other
  ) -> Publishers.AmbMany<AnyPublisher<Output, Failure>> {
    Publishers.AmbMany([eraseToAnyPublisher(), other.eraseToAnyPublisher()])
  }
}
