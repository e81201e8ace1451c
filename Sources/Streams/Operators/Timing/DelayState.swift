/// Signals that wait for their time on a scheduler of this package, and the one timer, which is for the first.
///
/// A timer delivers what was due when it fired: a value that is sent from within a delivery waits for another timer.
@usableFromInline
struct DelayState<Input, Failure: Error>: ObserveOnSignals {
  @usableFromInline typealias Signal = ScheduledSignals<Input, Failure>.Signal
  @usableFromInline typealias Timer = (number: Int, time: Int)

  @usableFromInline
  struct Waiting {
    @usableFromInline let due: Int
    @usableFromInline let signal: Signal

    @inlinable
    init(due: Int, signal: Signal) {
      self.due = due
      self.signal = signal
    }
  }

  @usableFromInline var upstream = UpstreamState.awaiting
  @usableFromInline var queue = Queue<Waiting>()
  @usableFromInline var deadline = MovingDeadline()
  /// How many signals have been taken out so far.
  @usableFromInline var taken = 0

  @inlinable
  init() {}

  // MARK: The upstream

  /// Puts a value into the queue, except after the end. Returns the number of the timer to set for it, if there is none.
  @inlinable @inline(__always)
  mutating func receive(_ value: Input, until due: Int) -> (isTaken: Bool, timer: Int?) {
    upstream.isSubscribed ? (true, append(.value(value), until: due)) : (false, nil)
  }

  /// Puts the upstream's completion into the queue. Returns the number of the timer to set for it, if there is none.
  @usableFromInline
  mutating func receive(completion: Subscribers.Completion<Failure>, until due: Int) -> Int? {
    upstream.complete() ? append(.completion(completion), until: due) : nil
  }

  @inlinable @inline(__always)
  mutating func append(_ signal: Signal, until due: Int) -> Int? {
    queue.append(Waiting(due: due, signal: signal))
    return deadline.time == nil ? deadline.move(to: due) : nil
  }

  // MARK: The timer

  /// Whether to read the clock when the timer fires: more may be due than the signal it was set for. A signal that is
  /// due a millisecond later or more gets a timer of its own: reading the program's clock may cost as much as a value.
  @inlinable
  var mayHaveMoreDue: Bool {
    guard let time = deadline.time, queue.count > 1 else { return false }
    return queue[1].due &- time < 1_000_000
  }

  /// Notes that the timer has fired. Returns up to which signal all are due, counted from the first of the stream, and
  /// the timer to set for the one after it. Returns nil if nothing waits any more.
  ///
  /// The signal it was set for is due whatever the clock says, and if the clock was not read: a scheduler of the
  /// program may be early.
  @inlinable
  mutating func begin(at now: Int?) -> (limit: Int, next: Timer?)? {
    guard let time = deadline.time else { return nil }
    _ = deadline.stop()
    let now = max(now ?? time, time)
    for count in 0..<queue.count {
      let due = queue[count].due
      if due > now { return (taken + count, deadline.move(to: due).map { ($0, due) }) }
    }
    return (taken + queue.count, nil)
  }

  /// Takes out the next signal, unless it is behind the limit: another timer's deliveries may have come
  /// in between. With the completion comes the subscription, to be released.
  @inlinable
  mutating func next(upTo limit: Int) -> (signal: Signal, released: (any Subscription)?, isLast: Bool)? {
    guard taken < limit, let first = queue.popFirst() else { return nil }
    taken += 1
    if case .completion = first.signal { return (first.signal, upstream.end(), true) }
    return (first.signal, nil, taken == limit)
  }

  // MARK: The downstream

  /// Ends everything. Returns the subscription and the timer, to be cancelled, and the waiting signals, to be
  /// released.
  @usableFromInline
  mutating func cancel() -> (subscription: (any Subscription)?, timer: UInt64?, dropped: Queue<Waiting>) {
    (upstream.end(), deadline.end(), exchange(&queue, with: Queue()))
  }
}
