import Synchronization

/// The subscription of an operator that makes each of its values of one value of each of several upstreams.
///
/// The downstream is given its subscription when all the upstreams have sent theirs; before, if one of them ends
/// the stream earlier.
@usableFromInline
class JoinInner<Output, Failure: Error>: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  /// The operator's name.
  @usableFromInline let description: String
  @usableFromInline let branches: ContiguousArray<Branch>
  @usableFromInline let delivery: Delivery<Output, Failure>
  /// How many of the upstreams have not sent their subscription. Belongs to whoever has entered.
  private let awaitedCount: Cell<Int>

  @usableFromInline
  init(name: String, downstream: Downstream<Output, Failure>, branches: ContiguousArray<Branch>) {
    description = name
    delivery = Delivery(downstream)
    self.branches = branches
    awaitedCount = Cell(branches.count)
  }

  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { description }

  // MARK: The downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    if !delivery.isEnded { branches.request(demand) }
  }

  @usableFromInline
  func cancel() {
    guard delivery.end() else { return }
    branches.cancel()
    delivery.serializer.post { [self] in dropValues() }
  }

  @usableFromInline
  func dropValues() {
    for branch in branches { branch.removeAll() }
  }

  // MARK: The upstreams

  @usableFromInline
  func receive(subscription: any Subscription, from branch: Branch) {
    guard branch.upstream.accept(subscription) else { return }
    delivery.serializer.perform { [self] in
      awaitedCount.value -= 1
      if awaitedCount.value == 0, !delivery.isEnded { delivery.handshake(self) }
    }
  }

  /// Finishes a stream without upstreams.
  @usableFromInline
  func finishEmpty() {
    delivery.serializer.perform { [self] in
      if delivery.end() { delivery.send(.finished, self) }
    }
  }
}
