/// One of the upstreams of an operator that has several: its subscription and what the operator keeps for it.
///
/// A branch knows nothing of the operator, so that the operator can hold its branches without a cycle. All but the
/// subscription belongs to whoever runs a signal of the operator.
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
