/// A subject that sends a batch to the one subscriber that it had when the batch came, as a whole.
///
/// Who subscribes amid the batch gets what comes after the value that was being told then, in step with that subscriber.
final class BroadcastSource: BatchSource {
  let broadcast: Unmanaged<BroadcastCore>
  private let conduit: Unmanaged<Conduit>
  private let start: UnsafeRawPointer
  /// Who has subscribed since, and from which value on. The subject keeps them as long as it delivers.
  private var others: [(conduit: Unmanaged<Conduit>, first: Int)] = []

  init(_ broadcast: Unmanaged<BroadcastCore>, _ conduit: Unmanaged<Conduit>, _ start: UnsafeRawPointer) {
    self.broadcast = broadcast
    self.conduit = conduit
    self.start = start
  }

  /// Adds a subscriber, who has subscribed to a subject amid batches that it sends, to what gets the rest of them.
  static func join(_ subject: BroadcastCore, _ conduit: Conduit) {
    BatchProgress.forEachSource { source in
      guard let source = source as? BroadcastSource, source.broadcast.takeUnretainedValue() === subject else {
        return
      }
      source.others.append((.passUnretained(conduit), source.reached + 1))
    }
  }

  /// Whether the first subscriber has cancelled, or been completed or is about to be.
  override var hasEnded: Bool {
    conduit._withUnsafeGuaranteedRef { $0.hasEnded }
      || broadcast._withUnsafeGuaranteedRef { $0.isCompleted.load(ordering: .relaxed) }
  }

  override func tell(_ number: Int) {
    var index = 0
    while index < others.count {
      let (conduit, first) = others[index]
      if first <= number { broadcast._withUnsafeGuaranteedRef { $0.offer(number, from: start, to: conduit) } }
      index += 1
    }
  }
}
