import Streams

/// Which of several publishers has sent first, and the demand that each is still owed.
struct AmbState {
  /// The publisher that has sent first.
  private(set) var winner: Int?
  private var hasEnded = false
  /// What to request from each when it sends its subscription; nil from then on.
  private var owed: [Subscribers.Demand?]

  init(count: Int) { owed = Array(repeating: Subscribers.Demand.none, count: count) }

  /// Whether to subscribe to further publishers.
  var isOpen: Bool { winner == nil && !hasEnded }

  /// A publisher has sent its subscription. Returns what to request from it.
  mutating func accept(_ index: Int) -> Subscribers.Demand {
    defer { owed[index] = nil }
    return owed[index] ?? .none
  }

  /// The downstream requests more. Returns the publishers to request it from.
  mutating func request(_ demand: Subscribers.Demand) -> [Int] {
    if let winner { return [winner] }
    for index in owed.indices { owed[index]? += demand }
    return owed.indices.filter { owed[$0] == nil }
  }

  enum Verdict {
    /// Another publisher was faster, or the stream has ended.
    case lost
    /// It was the first; the caller cancels the others.
    case won
    case goesOn
  }

  /// A publisher sends something. Returns whether to forward it.
  mutating func send(_ index: Int) -> Verdict {
    if hasEnded { return .lost }
    guard let winner else {
      self.winner = index
      return .won
    }
    return winner == index ? .goesOn : .lost
  }

  /// Ends the stream. Returns false if it has ended before.
  mutating func end() -> Bool {
    defer { hasEnded = true }
    return !hasEnded
  }
}
