/// A subscription through which values come to a subject, which may have several, one after another.
@usableFromInline
class UpstreamLink: Subscription {
  @usableFromInline final let upstream = SubscriptionSlot()

  @usableFromInline
  init() {}

  final var hasEnded: Bool { upstream.phase == .ended }

  /// Whether nothing comes through it any more, so that the subject may let go of it.
  var isOver: Bool { hasEnded }

  /// Passes nothing on any more. Returns the subscription that is to be cancelled.
  final func close() -> (any Subscription)? { upstream.end() }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  final func cancel() {
    guard upstream.phase != .ended else { return }
    // Values gathered on their way to the subject come first.
    BatchProgress.noteAction()
    upstream.end()?.cancel()
  }
}
