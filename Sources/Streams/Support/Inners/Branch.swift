/// One of the upstreams of an operator that has several: its subscription and the values that the operator keeps
/// for it.
///
/// A branch does not refer to the operator, so the operator can own its branches without a cycle. All fields but
/// the subscription belong to the thread that runs a signal of the operator.
@usableFromInline
class Branch {
  @usableFromInline let upstream = SubscriptionSlot()
  @usableFromInline let isFinished = Cell(false)

  @inlinable
  init() {}

  /// Whether no values are kept.
  @usableFromInline
  var isEmpty: Bool { true }

  /// Takes the values that are kept, nil if there are none.
  @usableFromInline
  func takeAll() -> Any? { nil }
}

extension Sequence where Element: Branch {
  /// Requests from every branch that has a subscription.
  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    for branch in self { branch.upstream.current?.request(demand) }
  }

  /// Cancels every branch, in order, now or as soon as it has a subscription.
  @usableFromInline
  func cancel() {
    for branch in self { branch.upstream.end()?.cancel() }
  }
}
