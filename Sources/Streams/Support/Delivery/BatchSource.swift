/// The receiver of a whole batch from a subject.
@usableFromInline
class BatchTarget {
  @usableFromInline init() {}

  /// Whether it receives nothing any more.
  var isOver: Bool { fatalError("abstract") }

  /// Makes the source that delivers the batch at `start` to subscribers that have not got it as a whole.
  func source(of start: UnsafeRawPointer) -> BatchSource { fatalError("abstract") }
}

/// Delivers the values of a batch, one by one, to subscribers that have joined during it.
@usableFromInline
class BatchSource {
  /// The number of the value that is being delivered, and of the last delivered to the others; -1 until a callback
  /// acts.
  private(set) var reached = -1
  private var delivered = -1
  private var isDelivering = false

  /// Whether the receiver of the whole batch wants no more, or no subscriber gets more.
  var hasEnded: Bool { fatalError("abstract") }

  /// Delivers the value with this number to the others.
  func deliver(_ number: Int) { fatalError("abstract") }

  /// The number of the value that is being delivered to the others, if any.
  final var beingDelivered: Int? { isDelivering ? delivered : nil }

  /// Notes that a value is being delivered, or is about to be: the others get the values before it.
  final func reach(_ number: Int) {
    guard !isDelivering, number > reached else { return }
    if reached < 0 { delivered = number } else { deliver(upTo: number - 1) }
    reached = number
  }

  /// Delivers to the others the values up to this number that they lack; those that no subscriber has received, only
  /// while `isComing` returns true.
  final func deliver(upTo number: Int, while isComing: () -> Bool = { true }) {
    guard !isDelivering, reached >= 0 else { return }
    isDelivering = true
    while delivered < number, delivered < reached || isComing() {
      delivered += 1
      reached = max(reached, delivered)
      deliver(delivered)
    }
    isDelivering = false
  }
}

/// A subscription through which values come to a subject, which may have several, one after another.
protocol UpstreamLink: Subscription {
  var hasEnded: Bool { get }
  /// Passes nothing on any more. Returns the subscription that is to be cancelled.
  func close() -> (any Subscription)?
}
