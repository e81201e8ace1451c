/// Delivers the values of a batch, one by one, to subscribers that have joined during it, on other threads too.
@usableFromInline
class BatchSource {
  /// The number of the value that is being delivered, and of the last delivered to the others. Nothing is delivered to these
  /// before a callback has acted, or the receiver has refused a value.
  private var reached = Int.min
  private var delivered = Int.min
  private var isDelivering = false
  /// The number of the first value that the receiver did not take, because it has ended.
  private var refused: Int?

  /// Whether the receiver of the whole batch wants no more, or no subscriber gets more.
  var hasEnded: Bool { fatalError("abstract") }

  /// Delivers the value with this number to the others.
  func deliver(_ number: Int) { fatalError("abstract") }

  /// Adds those that have joined, on whatever thread, to the others, from the value with this number on.
  func join(at number: Int) { fatalError("abstract") }

  /// The number of the value that is being delivered to the others, if any.
  final var beingDelivered: Int? { isDelivering ? delivered : nil }

  /// The number of the value after which somebody joins who subscribes now, on this thread.
  final var current: Int { beingDelivered ?? reached }

  /// Notes that a value is being delivered, or is about to be: the others get the values before it.
  final func reach(_ number: Int) {
    guard !isDelivering, number > reached else { return }
    if reached == .min { delivered = number } else { deliver(upTo: number - 1) }
    reached = number
  }

  /// Delivers to the others what has been reached, and nothing after it.
  final func catchUp() { deliver(upTo: reached) }

  /// Notes that the receiver does not take a value. Those that have joined on other threads by now get it: one may have
  /// taken the place of the receiver. Whoever has joined while it was being delivered gets the next one, which is known
  /// once a callback has acted.
  final func refuse(_ number: Int) {
    guard refused == nil else { return }
    refused = number
    join(at: number > reached ? number : number + 1)
    delivered = reached == .min ? number - 1 : min(delivered, number - 1)
    reached = max(reached, number - 1)
  }

  /// Delivers to the others the values up to this number that they lack; those that no subscriber has received, only
  /// while `isComing` returns true.
  final func deliver(upTo number: Int, while isComing: (Int) -> Bool = { _ in true }) {
    guard !isDelivering, reached > .min else { return }
    isDelivering = true
    joinSince()
    while delivered < number, delivered < reached || isComing(delivered + 1) {
      joinSince()
      delivered += 1
      reached = max(reached, delivered)
      deliver(delivered)
    }
    isDelivering = false
  }

  /// Adds those that have joined since, from the next value on that nobody has received.
  private func joinSince() { join(at: max(reached, delivered) + 1) }

  /// Delivers to the others what they lack of so many values.
  final func finish(_ count: Int, while isComing: (Int) -> Bool) {
    // Who ends by itself does so while a value is being delivered.
    if hasEnded, reached > .min { refuse(reached + 1) }
    deliver(upTo: count - 1, while: isComing)
  }
}
