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
  private var told = -1
  private var isTelling = false

  /// Whether the receiver of the whole batch wants no more, or no subscriber gets more.
  var hasEnded: Bool { fatalError("abstract") }

  /// Delivers the value with this number to the others.
  func tell(_ number: Int) { fatalError("abstract") }

  /// The number of the value that is being delivered to the others, if any.
  final var beingTold: Int? { isTelling ? told : nil }

  /// Notes that a value is being delivered, or is about to be: the others get the values before it.
  final func reach(_ number: Int) {
    guard !isTelling, number > reached else { return }
    if reached < 0 { told = number } else { tell(upTo: number - 1) }
    reached = number
  }

  /// Delivers to the others the values up to this number that they lack; those that no subscriber has received, only
  /// while `isComing` returns true.
  final func tell(upTo number: Int, while isComing: () -> Bool = { true }) {
    guard !isTelling, reached >= 0 else { return }
    isTelling = true
    while told < number, told < reached || isComing() {
      told += 1
      reached = max(reached, told)
      tell(told)
    }
    isTelling = false
  }
}

/// A subscription through which values come to a subject, which may have several, one after another.
protocol UpstreamLink: Subscription {
  var hasEnded: Bool { get }
  /// Passes nothing on any more. Returns the subscription that is to be cancelled.
  func close() -> (any Subscription)?
}
