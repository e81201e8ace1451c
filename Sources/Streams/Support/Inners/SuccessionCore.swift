import Synchronization

/// The subscription of an operator that goes on with a second publisher after its first: what catch and concatenate
/// have in common. It is not generic.
///
/// Repeated attempts neither nest nor pile up. If a publisher ends while it is being subscribed to, its successor
/// is subscribed to afterwards, in a loop. And if the downstream is the second part of an operator of this kind,
/// and so would only pass signals on, that operator takes over and subscribes to the next publisher: a retry
/// written as `attempt().catch { _ in attempt() }` keeps one operator, however often it fails.
@usableFromInline
class SuccessionCore: Subscription {
  let state = Lock(Succession())
  /// The demand on the first publisher, then the demand to request from the second.
  @usableFromInline final let demand = DemandCounter()
  /// Whether there is a second publisher's subscription.
  @usableFromInline final let secondIsOpen = Atomic(false)

  @usableFromInline final let frames = DeliveryFrames()
  private let drops = Drops()

  // MARK: The downstream

  @usableFromInline
  func request(_ more: Subscribers.Demand) {
    let recipient = state.withLock { state in
      if state.keepsDemand { demand.add(more) }
      return state.recipient
    }
    recipient?.request(more)
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    let ended = state.withLock { state in
      secondIsOpen.store(false, ordering: .relaxed)
      return state.end()
    }
    ended?.cancel()
  }

  /// Delivers the subscription to the downstream. If the first publisher ends during that, the second is subscribed
  /// to only afterwards: it may send on other threads.
  final func handshake(_ give: () -> Void) {
    state.withLock { $0.hold() }
    give()
    proceed()
  }

  // MARK: The second publisher

  /// Goes on after the first publisher. `attach` subscribes to the second, for the operator that it is given.
  final func goOn(before downstream: AnyObject, _ attach: @escaping (SuccessionCore) -> Void) {
    let host = delegate(to: (downstream as? any Successor)?.succession) ?? self
    host.frames.publisherHasEnded()
    host.run { attach(host) }
  }

  private func delegate(to host: SuccessionCore?) -> SuccessionCore? {
    guard let host, let replaced = host.state.withLock({ $0.replaceSecond(self) }) else { return nil }
    let owed = state.withLock { state in
      state.delegate(to: host)
      return demand.takeAll()
    }
    host.demand.add(owed)
    withExtendedLifetime(replaced) {}
    return host
  }

  private func run(_ attach: @escaping () -> Void) {
    guard state.withLock({ $0.begin(attach) }) else { return }
    perform(attach)
    proceed()
  }

  private func proceed() {
    while let attach = state.withLock({ $0.proceed() }) { perform(attach) }
  }

  private func perform(_ attach: () -> Void) {
    if state.withLock({ $0.isChoosing }) { drops.counting(attach) }
  }

  /// Whether the second publisher is still wanted, now that there is one.
  @usableFromInline
  final func choose() -> Bool { state.withLock { $0.choose() } }

  /// Keeps the second publisher's subscription and requests what is owed; cancels one that is not wanted.
  @usableFromInline
  final func receiveSecond(_ subscription: any Subscription) {
    let owed: Subscribers.Demand? = state.withLock { state in
      guard state.acceptSecond(subscription) else { return nil }
      secondIsOpen.store(true, ordering: .relaxed)
      return demand.takeAll()
    }
    guard let owed else { return subscription.cancel() }
    if owed != .none { subscription.request(owed) }
  }

  /// Whether to pass the second publisher's completion on.
  private func endSecond() -> Bool {
    let ended = state.withLock { state in
      secondIsOpen.store(false, ordering: .relaxed)
      return state.endSecond()
    }
    return ended != nil
  }

  /// Passes on the second publisher's completion.
  final func completeSecond(_ complete: @escaping () -> Void) {
    frames.run { [self] in if endSecond() { complete() } }
  }
}

/// The subscriber to a second publisher. It passes all signals on, so another publisher may follow in its place.
@usableFromInline
protocol Successor: AnyObject {
  var succession: SuccessionCore { get }
}
