import Streams

/// When a subscription begins and when it is cancelled.
struct MarbleSpan {
  private(set) var subscription = VirtualTime.Stride.nanoseconds(0)
  private(set) var cancellation: VirtualTime.Stride?

  init(_ text: String, every unit: VirtualTime.Stride) throws(MarbleError) {
    precondition(unit > .nanoseconds(0), "a moment needs a length")
    let notation = try MarbleNotation(text)
    var isSubscribed = false
    for mark in notation.marks {
      let offset = VirtualTime.Stride.nanoseconds(mark.moment * unit.magnitude)
      switch mark.kind {
      case .subscription:
        guard !isSubscribed else { throw notation.error(at: mark, "there is one subscription") }
        guard cancellation == nil else { throw notation.error(at: mark, "it was cancelled before") }
        isSubscribed = true
        subscription = offset
      case .cancellation:
        guard cancellation == nil else { throw notation.error(at: mark, "it was cancelled before") }
        cancellation = offset
      case .value, .finish, .failure:
        throw notation.error(at: mark, "a subscription has no marks but '^' and '!'")
      }
    }
  }
}
