import Streams

/// A stream's signals, each with the time from the stream's beginning.
struct MarbleTimeline<Output, Failure: Error> {
  enum Signal {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
  }

  struct Entry {
    var offset: VirtualTime.Stride
    var signal: Signal
  }

  private(set) var entries: [Entry] = []
}

extension MarbleTimeline {
  /// What marbles are converted to.
  struct Values {
    /// The value for a name, or nil if it has none.
    let named: (String) -> Output?
    /// The error text for a name without a value.
    let complaint: (String) -> String
    let error: Failure?
  }

  /// Reads the marbles of a stream. In the marbles of a hot one, marks before `^` are not played.
  init(
    _ text: String, isHot: Bool, every unit: VirtualTime.Stride, _ values: Values
  ) throws(MarbleError) {
    let notation = try MarbleNotation(text)
    let beginning = try Self.beginning(of: notation, isHot: isHot)
    for mark in notation.marks {
      guard let signal = try Self.signal(of: mark, in: notation, values) else { continue }
      guard mark.moment >= beginning else { continue }
      let offset = VirtualTime.Stride.nanoseconds((mark.moment - beginning) * unit.magnitude)
      entries.append(Entry(offset: offset, signal: signal))
    }
  }

  /// The moment in which the stream begins.
  private static func beginning(of notation: MarbleNotation, isHot: Bool) throws(MarbleError) -> Int {
    var beginning: Int?
    for mark in notation.marks where mark.kind == .subscription {
      guard isHot else { throw notation.error(at: mark, "a cold stream begins when it is subscribed to") }
      guard !mark.isGrouped else { throw notation.error(at: mark, "the beginning cannot be in a group") }
      guard beginning == nil else { throw notation.error(at: mark, "a stream begins once") }
      beginning = mark.moment
    }
    return beginning ?? 0
  }

  private static func signal(
    of mark: MarbleNotation.Mark, in notation: MarbleNotation, _ values: Values
  ) throws(MarbleError) -> Signal? {
    switch mark.kind {
    case .value(let name):
      guard let value = values.named(name) else { throw notation.error(at: mark, values.complaint(name)) }
      return .value(value)
    case .finish:
      return .completion(.finished)
    case .failure:
      guard let error = values.error else {
        throw notation.error(at: mark, "no error was given to fail with")
      }
      return .completion(.failure(error))
    case .subscription:
      return nil
    case .cancellation:
      throw notation.error(at: mark, "a stream does not cancel itself")
    }
  }
}
