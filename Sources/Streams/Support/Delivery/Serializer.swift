/// Serializes signals that arrive on several threads without a lock being held while they are delivered.
///
/// A signal runs at once when nobody else is running one, and also when it is sent from within another on the same
/// thread: recursion is legal. What then happens to a signal that finds another thread at work depends on what it is:
///
/// - Values, completions and subscriptions from upstream wait their turn (``run(_:refused:)``, ``perform(_:)``): when
///   `send` returns, the value has been delivered, on the thread that sent it. A wait that would close a circle of
///   threads is not made; the signal is left to the thread at work.
/// - Requests and cancellations never wait (``post(_:)``): they are left to the thread at work. That does what there is
///   when its signal is over, and offers what has come meanwhile to whoever enters next, who does it first. So no thread
///   that waits here is kept out by others that leave work without pause.
///
/// What the signals work on belongs to whoever has entered, and needs no lock.
///
/// References that a running signal may be using are not released but *retired*: they are let go when no signal is
/// running.
@frozen
@usableFromInline
package struct Serializer: ~Copyable {
  /// What is to be done later.
  @usableFromInline
  enum Job {
    case run(() -> Void)
    /// Returns what is to be done when the gate is free again.
    case signal(() -> () -> Void)
    /// Passes on what is demanded of somebody.
    case request(Subscribers.Demand, of: AnyObject, (Subscribers.Demand) -> Void)

    func perform() -> (() -> Void)? {
      switch self {
      case .run(let body): body()
      case .signal(let body): return body()
      case .request(let demand, _, let pass): pass(demand)
      }
      return nil
    }
  }

  @usableFromInline
  struct Inbox {
    @usableFromInline var signals: [Job] = []
    @usableFromInline var retired: [Any] = []

    @inlinable
    init() {}

    /// Whether to release it may run anybody's code: what grants a request has the stream only.
    var isForeign: Bool {
      let hasRun = signals.contains { if case .request = $0 { false } else { true } }
      return hasRun || !retired.isEmpty
    }
  }

  @usableFromInline let gate = Gate()
  @usableFromInline let inbox = Lock(Inbox())
  /// What signals leave to be done once the gate is free. Belongs to whoever has entered.
  @usableFromInline let afterwards = Cell<[Job]>([])

  @inlinable @inline(__always)
  package init() {}

  // MARK: The fast path

  /// Runs `signal` when it is its turn. Where to wait for that would be for ever, runs `refused` instead, which is to
  /// submit a copy.
  @inlinable @inline(__always)
  package func run<Result>(_ signal: () -> Result, refused: () -> Result) -> Result {
    run(entering: enterInTurn(), signal, busy: refused)
  }

  /// Does so for a value that is sent: results that this thread has gathered come before.
  @inlinable @inline(__always)
  func runSending<Result>(_ signal: () -> Result, refused: () -> Result) -> Result {
    run(entering: enterInTurn(BatchProgress.sendingThread), signal, busy: refused)
  }

  /// Enters when it is this thread's turn: not where it has entered before, nor where to wait would be for ever. Whoever gets
  /// true leaves.
  @inlinable @inline(__always)
  package func enterUnlessNested() -> Bool { enterInTurn() == .entered }

  /// Enters, if need be after waiting. It is busy only if the owner waits for something of this thread.
  @inlinable @inline(__always)
  func enterInTurn() -> Gate.Entry { enterInTurn(Gate.currentThread) }

  /// The same for a thread that is known.
  @inlinable @inline(__always)
  func enterInTurn(_ thread: UInt32) -> Gate.Entry {
    let entry = gate.enter(thread)
    return _fastPath(entry != .busy) ? entry : waitForTurn()
  }

  /// Waits. A turn that comes with work begins with that: this thread may have left some of it.
  @usableFromInline @inline(never)
  func waitForTurn() -> Gate.Entry {
    let entry = gate.waitForTurn()
    if entry == .entered, gate.hasWork { retire(runInbox()) }
    return entry
  }

  /// Runs `signal` now, or, when another thread is running one, `busy`, which is to submit a copy.
  @inlinable @inline(__always)
  func runNow<Result>(_ signal: () -> Result, busy: () -> Result) -> Result {
    run(entering: gate.enter(), signal, busy: busy)
  }

  @inlinable @inline(__always)
  func run<Result>(
    entering entry: Gate.Entry, _ signal: () -> Result, busy: () -> Result
  ) -> Result {
    switch entry {
    case .entered:
      let result = signal()
      leave()
      return result
    case .nested:
      return signal()
    case .busy:
      return busy()
    }
  }

  /// Enters if nobody else has, nor this thread. Whoever gets true leaves.
  @inlinable @inline(__always)
  package func enterIfFree() -> Bool { gate.enterIfFree() }

  /// Leaves the gate, after doing the work that others have left. For the caller that has entered it.
  @inlinable @inline(__always)
  package func leave() {
    if !_fastPath(gate.word.releaseUnmarked()) { leaveSlowly() }
  }

  /// `enterIfFree` and `leave` for a thread that has acquired the bias, so that they can be part of one step. What they do not do, they
  /// return false for.
  @inlinable @inline(__always)
  package func enterBiased() -> Bool { gate.enterBiased() }

  @inlinable @inline(__always)
  package func leaveBiased() -> Bool { gate.word.releaseBiased() }

  @usableFromInline @inline(never)
  func leaveSlowly() {
    if !gate.word.releaseSlowly() { drain() }
  }

  /// Whether the calling thread is running a signal.
  @inlinable @inline(__always)
  package var isEntered: Bool { gate.isOwned }

  // MARK: The slow path

  /// Runs `signal` when it is its turn; where to wait for that would be for ever, leaves it in the inbox.
  @usableFromInline
  package func perform(_ signal: @escaping () -> Void) {
    run(signal, refused: { submit(signal) })
  }

  /// Runs `signal` now, or leaves it to the thread that is running one.
  @usableFromInline
  package func post(_ signal: @escaping () -> Void) {
    runNow(signal, busy: { submit(signal) })
  }

  /// Leaves `signal` in the inbox. It runs, on this thread or another, when no other signal is running.
  @usableFromInline @inline(never)
  package func submit(_ signal: @escaping () -> Void) {
    submit(.run(signal))
  }

  @usableFromInline
  func submit(_ job: Job) {
    inbox.withLock { $0.signals.append(job) }
    drainSoon()
  }

  /// Leaves in the inbox what is demanded of a stream. What is demanded before that has been granted is added to it.
  @usableFromInline @inline(never)
  func submit(
    _ demand: Subscribers.Demand, of stream: AnyObject, _ grant: @escaping (Subscribers.Demand) -> Void
  ) {
    inbox.withLock { $0.signals.add(.request(demand, of: stream, grant)) }
    drainSoon()
  }

  /// Leaves a copy of a batch in the inbox, and what is to be done with it.
  @usableFromInline @inline(never)
  package func submit<Value>(
    copyOf batch: UnsafeBufferPointer<Value>, _ signal: @escaping (UnsafeBufferPointer<Value>) -> Void
  ) {
    let copy = Array(batch)
    submit { copy.withUnsafeBufferPointer(signal) }
  }

  /// Keeps `object` until no signal is running.
  @usableFromInline
  package func retire(_ object: Any) {
    inbox.withLock { $0.retired.append(object) }
    drainSoon()
  }

  /// From within a signal: does `action` when the gate is free again.
  ///
  /// A request to an upstream belongs here, because it may be answered with values without end, and meanwhile no
  /// other thread's signals would be run.
  @usableFromInline
  package func afterLeaving(_ action: @escaping () -> Void) {
    afterwards.value.append(.run(action))
    drainSoon()
  }

  /// From within a signal: requests from a subscription when the gate is free again, in one with what was left before.
  @usableFromInline
  func afterLeaving(request demand: Subscribers.Demand, from subscription: any Subscription & AnyObject) {
    afterwards.value.add(.request(demand, of: subscription) { subscription.request($0) })
    drainSoon()
  }

  /// Sees to it that somebody looks into the inbox.
  @usableFromInline
  func drainSoon() {
    if gate.markWork() { drain() }
  }

  /// Does the work in the inbox, then leaves the gate. For the gate's owner, outside of any signal.
  @usableFromInline @inline(never)
  func drain() {
    // Both may run anybody's code, for any time. So they have to wait until no work is left with nobody to do it.
    var done: [Inbox] = []
    var actions: [Job] = []
    repeat {
      let work = runInbox()
      if work.isForeign { done.append(work) }
      for action in exchange(&afterwards.value, with: []) { actions.add(action) }
    } while !gate.releaseToNext() && gate.markWork()
    done = []
    for action in actions { _ = action.perform() }
  }

  /// Does the work in the inbox, and returns it.
  private func runInbox() -> Inbox {
    let work = inbox.withLock { exchange(&$0, with: Inbox()) }
    for signal in work.signals {
      if let effect = signal.perform() { afterLeaving(effect) }
    }
    return work
  }
}

extension [Serializer.Job] {
  /// Appends a job. A request of the one that the last is a request of is added to that: threads that request without
  /// pause leave no more than can be done.
  fileprivate mutating func add(_ job: Element) {
    if case .request(let more, let somebody, _) = job,
      case .request(let demand, let last, let pass) = self.last, last === somebody
    {
      self[count - 1] = .request(demand + more, of: last, pass)
    } else {
      append(job)
    }
  }
}
