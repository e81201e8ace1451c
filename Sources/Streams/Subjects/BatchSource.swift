/// A subject that sends a batch to the one subscriber that it had when the batch came, as a whole.
///
/// Who subscribes amid the batch gets what comes after the value that was being told then, in step with that subscriber.
@usableFromInline
final class BatchSource {
  private let broadcast: Unmanaged<BroadcastCore>
  private let conduit: Unmanaged<Conduit>
  private let start: UnsafeRawPointer
  /// The number of the value that is being told, and of the last that the others have been told of; -1 as long as nobody
  /// has acted.
  private var reached = -1
  private var told = -1
  private var isTelling = false
  /// Who has subscribed since, and from which value on. The subject keeps them as long as it delivers.
  private var others: [(conduit: Unmanaged<Conduit>, first: Int)] = []

  init(_ broadcast: Unmanaged<BroadcastCore>, _ conduit: Unmanaged<Conduit>, _ start: UnsafeRawPointer) {
    self.broadcast = broadcast
    self.conduit = conduit
    self.start = start
  }

  /// Whether the first subscriber has cancelled, or been completed or is about to be.
  var hasEnded: Bool {
    conduit._withUnsafeGuaranteedRef { $0.hasEnded }
      || broadcast._withUnsafeGuaranteedRef { $0.isCompleted.load(ordering: .relaxed) }
  }

  /// The number of the value that the others are being told of, if they are.
  var beingTold: Int? { isTelling ? told : nil }

  /// A value is being told, or is about to be: the others get the values before it.
  func reach(_ number: Int) {
    guard !isTelling, number > reached else { return }
    if reached < 0 { told = number } else { tell(upTo: number - 1) }
    reached = number
  }

  /// Adds a subscriber that has come while a value was being told.
  func join(_ conduit: Unmanaged<Conduit>) { others.append((conduit, reached + 1)) }

  /// Tells the others of the values up to this number that they have not been told of; of those that nobody has been told
  /// of, only while they still come.
  func tell(upTo number: Int, while isComing: () -> Bool = { true }) {
    guard !isTelling, reached >= 0 else { return }
    isTelling = true
    while told < number, told < reached || isComing() {
      told += 1
      reached = max(reached, told)
      var index = 0
      while index < others.count {
        let (conduit, first) = others[index]
        if first <= told { broadcast._withUnsafeGuaranteedRef { $0.offer(told, from: start, to: conduit) } }
        index += 1
      }
    }
    isTelling = false
  }
}
