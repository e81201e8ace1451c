/// A subject that sends a whole batch to the one subscriber that it had when the batch came.
///
/// A subscriber that joins during the batch gets the values after the one being delivered then, in step with the first
/// subscriber.
final class BroadcastSource: BatchSource {
  let broadcast: Unmanaged<BroadcastCore>
  private let conduit: Unmanaged<Conduit>
  private let start: UnsafeRawPointer
  /// The subscribers that joined since, each with the next value it gets. The subject retains them while it delivers.
  private var others: [(conduit: Unmanaged<Conduit>, next: Int)] = []

  /// The list of subscribers when those that have joined were last searched for, and how many places it had.
  private var searched: (memory: UnsafeMutableRawPointer?, count: Int) = (nil, 0)

  init(_ broadcast: Unmanaged<BroadcastCore>, _ conduit: Unmanaged<Conduit>, _ start: UnsafeRawPointer) {
    self.broadcast = broadcast
    self.conduit = conduit
    self.start = start
  }

  /// Adds a subscriber, which has joined a subject on this thread during batches that it sends, to the receivers of the rest of
  /// them, behind those that have joined before it.
  static func join(_ subject: BroadcastCore) {
    BatchProgress.forEachSource { source in
      guard let source = source as? BroadcastSource, source.broadcast.takeUnretainedValue() === subject else {
        return
      }
      source.join(at: source.current + 1)
    }
  }

  override func join(at number: Int) {
    if broadcast._withUnsafeGuaranteedRef({ $0.isEnding.value }) { return }
    let list = broadcast._withUnsafeGuaranteedRef { $0.list }
    if list.memory == searched.memory, list.count == searched.count { return }
    searched = (list.memory, list.count)
    list.forEach { if !isKnown($0.toOpaque()) { others.append(($0, number)) } }
  }

  private func isKnown(_ address: UnsafeMutableRawPointer) -> Bool {
    conduit.toOpaque() == address || others.contains { $0.conduit.toOpaque() == address }
  }

  /// Whether the first subscriber has cancelled, or a callback has completed the subject.
  override var hasEnded: Bool {
    conduit._withUnsafeGuaranteedRef { $0.hasEnded }
      || broadcast._withUnsafeGuaranteedRef { $0.isEnding.value }
  }

  override func deliver(_ number: Int) {
    var index = 0
    while index < others.count {
      let (conduit, next) = others[index]
      if next <= number {
        others[index].next = number + 1
        broadcast._withUnsafeGuaranteedRef { $0.offer(number, from: start, to: conduit) }
      }
      index += 1
    }
  }
}
