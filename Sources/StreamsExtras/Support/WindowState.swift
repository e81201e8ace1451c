/// Which windows the values of a publisher belong to, by their numbers.
struct WindowState {
  private let count: Int
  private let skip: Int
  /// The number of the next value, from when the windows that are open began or will begin: small, however many come.
  private var position = 0
  /// How many values the open windows have got, the oldest first.
  private var sizes: [Int] = []

  /// Windows of so many values, one of which begins with the first value, and each other so many values later.
  init(count: Int, skip: Int) {
    precondition(
      count > 0 && skip > 0, "a window holds at least one value, and begins at least one after the last")
    self.count = count
    self.skip = skip
  }

  /// Values in a row that belong to the same windows.
  struct Run: Equatable {
    var count: Int
    /// Whether a window begins with them. There is only one then.
    var opens = false
    /// Whether the oldest window is complete with them.
    var closes = false
  }

  /// The next values, of at most so many.
  mutating func next(_ available: Int) -> Run {
    let opens = position == 0
    if opens { sizes.append(0) }
    var run = Run(count: opens ? 1 : min(available, skip - position), opens: opens)
    if let oldest = sizes.first { run.count = min(run.count, count - oldest) }
    position = (position + run.count) % skip
    for index in sizes.indices { sizes[index] += run.count }
    if sizes.first == count {
      sizes.removeFirst()
      run.closes = true
    }
    return run
  }
}
