import Streams

/// Which of several publishers has sent first, and what is to be asked of each.
struct AmbState {
  /// The one that has sent first.
  private(set) var winner: Int?
  private var hasEnded = false
  /// What is to be asked of each as soon as it has sent its subscription; nil from then on.
  private var owed: [Subscribers.Demand?]

  init(count: Int) { owed = Array(repeating: Subscribers.Demand.none, count: count) }

  /// Whether to subscribe to another one.
  var isOpen: Bool { winner == nil && !hasEnded }

  /// A publisher has sent its subscription. Returns what to ask of it.
  mutating func accept(_ index: Int) -> Subscribers.Demand {
    defer { owed[index] = nil }
    return owed[index] ?? .none
  }

  /// The downstream requests more. Returns whom to ask.
  mutating func request(_ demand: Subscribers.Demand) -> [Int] {
    if let winner { return [winner] }
    for index in owed.indices { owed[index]? += demand }
    return owed.indices.filter { owed[$0] == nil }
  }

  enum Verdict {
    /// Another one has been faster, or the stream has ended.
    case lost
    /// It was the first, and the others are to be cancelled.
    case won
    case goesOn
  }

  /// A publisher has something to send.
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
