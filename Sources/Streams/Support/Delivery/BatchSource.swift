/// To whom a subject sends a batch as a whole.
@usableFromInline
class BatchTarget {
  @usableFromInline init() {}

  /// Whether it gets nothing any more.
  var isOver: Bool { fatalError("abstract") }

  /// Tells those of the batch that lies at `start` who have not got it as a whole.
  func source(of start: UnsafeRawPointer) -> BatchSource { fatalError("abstract") }
}

/// Tells the values of a batch, one by one, to those who have subscribed amid it.
@usableFromInline
class BatchSource {
  /// The number of the value that is being told, and of the last that the others have been told of; -1 as long as nobody
  /// has acted.
  private(set) var reached = -1
  private var told = -1
  private var isTelling = false

  /// Whether no more is wanted by who gets the whole batch, or nobody gets more.
  var hasEnded: Bool { fatalError("abstract") }

  /// Tells the others of the value of this number.
  func tell(_ number: Int) { fatalError("abstract") }

  /// The number of the value that the others are being told of, if they are.
  final var beingTold: Int? { isTelling ? told : nil }

  /// A value is being told, or is about to be: the others get the values before it.
  final func reach(_ number: Int) {
    guard !isTelling, number > reached else { return }
    if reached < 0 { told = number } else { tell(upTo: number - 1) }
    reached = number
  }

  /// Tells the others of the values up to this number that they have not been told of; of those that nobody has been told
  /// of, only while they still come.
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

/// A subscription by which values come to somebody of whom there may be several, one after another.
protocol UpstreamLink: Subscription {
  var hasEnded: Bool { get }
}
