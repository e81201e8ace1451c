/// Which windows the values of a publisher belong to, by their numbers.
@usableFromInline
struct WindowState {
  private let count: Int
  private let skip: Int
  /// The next value's position, counted from where the latest window began; less than `skip`, so it cannot overflow.
  private var position = 0
  /// How many values each open window has got, the oldest first.
  private var sizes: [Int] = []

  /// Windows of `count` values: the first begins with the first value, and each further one `skip` values later.
  @usableFromInline
  init(count: Int, skip: Int) {
    precondition(
      count > 0 && skip > 0, "a window holds at least one value, and begins at least one after the last")
    self.count = count
    self.skip = skip
  }

  /// Successive values that belong to the same windows.
  @usableFromInline
  struct Run: Equatable {
    @usableFromInline var count: Int
    /// Whether a window begins with them. Then there is only one value.
    @usableFromInline var opens = false
    /// Whether they complete the oldest window.
    @usableFromInline var closes = false
  }

  /// The next run, of at most `available` values.
  @usableFromInline
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
