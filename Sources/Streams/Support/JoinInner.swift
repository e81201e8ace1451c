import Synchronization

/// How far the downstream's subscription is. Belongs to whoever runs a signal.
@usableFromInline
enum Greeting {
  /// So many of the upstreams have not sent their subscription.
  case awaiting(Int)
  /// The subscription is being sent by this thread, or is about to be.
  case sending(thread: UInt)
  case sent
}

/// The subscription of an operator that makes each of its values of one value of each of several upstreams.
///
/// The downstream is sent its subscription when all the upstreams have sent theirs; before, if one of them ends
/// the stream earlier.
@usableFromInline
class JoinInner<Output, Failure: Error>: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  /// The operator's name.
  @usableFromInline let description: String
  @usableFromInline let downstream: Downstream<Output, Failure>
  @usableFromInline let branches: ContiguousArray<Branch>
  @usableFromInline let serializer = Serializer()
  @usableFromInline let isEnded = Atomic(false)
  @usableFromInline let greeting: Cell<Greeting>
  /// Whether the sending has begun. Belongs to the thread that sends the subscription.
  @usableFromInline let isGreeting = Cell(false)
  /// A completion that came, not from within the sending, while the subscription was being sent.
  @usableFromInline let early = Cell<Subscribers.Completion<Failure>?>(nil)

  @inlinable
  init(name: String, downstream: Downstream<Output, Failure>, branches: ContiguousArray<Branch>) {
    description = name
    self.downstream = downstream
    self.branches = branches
    greeting = Cell(.awaiting(branches.count))
  }

  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { description }

  // MARK: The downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    if !isEnded.load(ordering: .relaxed) { branches.request(demand) }
  }

  @usableFromInline
  func cancel() {
    guard !isEnded.exchange(true, ordering: .relaxed) else { return }
    branches.cancel()
    serializer.perform { [self] in dropValues() }
  }

  @usableFromInline
  func dropValues() {
    for branch in branches { branch.removeAll() }
  }

  // MARK: The upstreams

  @usableFromInline
  func receive(subscription: any Subscription, from branch: Branch) {
    guard branch.upstream.accept(subscription) else { return }
    serializer.perform { [self] in
      guard case .awaiting(let count) = greeting.value else { return }
      greeting.value = count == 1 ? .sending(thread: Gate.currentThread) : .awaiting(count - 1)
      if count == 1 { serializer.afterLeaving { [self] in greet() } }
    }
  }

  /// Sends the subscription. Not in a signal: the request it leads to may be answered with values without end.
  private func greet() {
    isGreeting.value = true
    downstream.receive(subscription: self)
    serializer.perform { [self] in
      greeting.value = .sent
      if let completion = early.value.take() { downstream.receive(completion: completion) }
    }
  }

  /// Finishes a stream without upstreams.
  @usableFromInline
  func finishEmpty() {
    isEnded.store(true, ordering: .relaxed)
    serializer.perform { [self] in send(.finished) }
  }

  /// Sends the completion, after the subscription. For whoever has ended the stream.
  @usableFromInline
  func send(_ completion: Subscribers.Completion<Failure>) {
    switch greeting.value {
    case .sending(let thread) where thread != Gate.currentThread || !isGreeting.value:
      early.value = completion
      return
    case .awaiting:
      greeting.value = .sent
      downstream.receive(subscription: self)
    default:
      break
    }
    downstream.receive(completion: completion)
  }
}
