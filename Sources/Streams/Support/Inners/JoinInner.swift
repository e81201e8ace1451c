import Synchronization

/// The subscription of an operator that makes each value of one value from each of several upstreams.
///
/// The downstream gets its subscription when all upstreams have sent theirs; before that, if one of them ends the
/// stream earlier.
@usableFromInline
class JoinInner<Output, Failure: Error>: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  /// The operator's name.
  @usableFromInline let description: String
  @usableFromInline let branches: ContiguousArray<Branch>
  @usableFromInline let delivery: Delivery<Output, Failure>
  /// Counts the values dropped for lack of demand.
  @usableFromInline let drops = Drops()
  /// How many of the upstreams have not sent their subscription. Only for the thread that has entered.
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
    guard delivery.cancel() else { return }
    branches.cancel()
    delivery.serializer.runNow { [self] in dropValues() }
  }

  /// In turn: takes all values out. They are released when no signal is running.
  @usableFromInline
  func dropValues() {
    let dropped = branches.compactMap { $0.takeAll() }
    if !dropped.isEmpty { delivery.serializer.retire(dropped) }
  }

  // MARK: The upstreams

  /// Ends the stream with a failure: cancels the upstreams, after leaving the gate, because the cancellation of one may
  /// wait for a thread that sends. Then sends the failure.
  @usableFromInline
  final func fail(_ completion: Subscribers.Completion<Failure>) {
    delivery.serializer.run(self, completion, { $0.beginFailure($1) }) {
      if $2 { $0.conclude($1) }
    }
  }

  /// In turn. Returns whether the failure is to be sent now.
  @usableFromInline
  func beginFailure(_ completion: Subscribers.Completion<Failure>) -> Bool { delivery.end() }

  /// In turn: ends the stream with an error of the operator's transform, as a failure of an upstream does.
  @usableFromInline @inline(never)
  final func fail(with error: Failure) {
    guard delivery.end() else { return }
    delivery.serializer.afterLeaving { [self] in conclude(.failure(error)) }
  }

  /// For the caller that has ended the stream, outside of a turn.
  private func conclude(_ completion: Subscribers.Completion<Failure>) {
    branches.cancel()
    delivery.serializer.run { [self] in
      dropValues()
      delivery.send(completion, self)
    }
  }

  @usableFromInline
  func receive(subscription: any Subscription, from branch: Branch) {
    guard branch.upstream.accept(subscription) else { return }
    delivery.serializer.run { [self] in awaitOneLess() }
  }

  /// In turn: delivers the subscription to the downstream if no upstream is awaited any more.
  @usableFromInline
  func awaitOneLess() {
    awaitedCount.value -= 1
    if awaitedCount.value == 0, !delivery.isEnded { delivery.handshake(self) }
  }

  /// Finishes a stream without upstreams.
  @usableFromInline
  func finishEmpty() {
    delivery.serializer.run { [self] in
      if delivery.end() { delivery.send(.finished, self) }
    }
  }
}

/// The downstream's demand in answer to a value that an upstream has completed.
@usableFromInline
struct JoinDemand {
  /// The demand that it returned. It is returned to that upstream and requested from the others.
  @usableFromInline var returned = Subscribers.Demand.none
  /// The demand that it requested during the delivery.
  @usableFromInline var requested = Subscribers.Demand.none
  /// Whether the value has ended the stream, and the upstreams must be cancelled.
  @usableFromInline var hasEnded = false

  @inlinable @inline(__always)
  init(
    returned: Subscribers.Demand = .none, requested: Subscribers.Demand = .none, hasEnded: Bool = false
  ) {
    self.returned = returned
    self.requested = requested
    self.hasEnded = hasEnded
  }

  /// In answer to a value that has come after the end: none, but the refusal is counted.
  @usableFromInline @inline(never)
  static func refused() -> JoinDemand { JoinDemand(returned: .refused()) }

  @inlinable @inline(__always)
  var sum: Subscribers.Demand { returned + requested }

  @inlinable @inline(__always)
  var isNone: Bool { returned.rawValue | requested.rawValue == 0 }
}
