import Synchronization

/// Serializes signals that arrive on several threads, without holding a lock while they are delivered.
///
/// A signal runs immediately when no other thread is running one, and also when it is sent from within another on the
/// same thread: recursion is legal. A signal that finds another thread at work is treated by its kind:
///
/// - Values, completions and subscriptions from upstream wait their turn (``run(_:busy:)``): when
///   `send` returns, the value has been delivered, on the thread that sent it. If waiting would
///   deadlock, the signal is left to the thread at work. It runs before every signal that is sent later:
///   a signal that is sent from within another first runs those that were left. What those send comes
///   after the signal that waits for them, so it is left too.
/// - Requests and cancellations never wait (``runNow(_:)``): they are left to the thread at work. After
///   its own signal, that thread does the work that there is. It leaves work that arrives meanwhile to
///   the thread that enters next, which does that work first. So threads that leave work without pause
///   do not starve one that waits.
///
/// The state that the signals use belongs to the thread that has entered, and needs no lock.
///
/// References that a running signal may be using are not released but *retired*: they are released when no signal is
/// running. Only then may code change what a running signal could be reading (``betweenSignals(_:)``).
@frozen
@usableFromInline
package struct Serializer: ~Copyable {
  @usableFromInline let gate = Gate()
  /// How many signals were left and have not run, and the mark ``catchingUp``. Not an `Atomic`, for the reason at
  /// ``OwnerWord/storage``.
  @usableFromInline let left = _Cell<UInt32>(0)
  @usableFromInline let inbox = Lock(Inbox())
  /// Work that signals leave for when the gate is free. Only for the thread that has entered.
  @usableFromInline let afterwards = Cell<[Job]>([])

  @inlinable @inline(__always)
  package init() {}

  /// `left`, for atomic use. An `Atomic` has the layout of its value.
  @inlinable @inline(__always)
  var signalsLeft: UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(left._address).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  /// Added to ``left`` while the thread that has entered runs the signals that come before its own.
  static var catchingUp: UInt32 { 1 << 31 }

  // MARK: The fast path

  /// Runs `signal` when it is its turn. If waiting would deadlock, or another signal of this thread waits for those that were
  /// left before it, runs `busy` instead, which must enqueue a copy.
  @inlinable @inline(__always)
  package func run<Result>(_ signal: () -> Result, busy: () -> Result) -> Result {
    run(entering: enterInTurn(), signal, busy: busy)
  }

  /// Runs a signal that sends a value when it is its turn: results that this thread has gathered are delivered first.
  @inlinable @inline(__always)
  func runSending<Result>(_ signal: () -> Result, busy: () -> Result) -> Result {
    run(entering: enterInTurn(BatchProgress.sendingThread), signal, busy: busy)
  }

  /// Enters when it is this thread's turn, unless it has entered already or waiting would deadlock. A caller that gets
  /// true must leave.
  @inlinable @inline(__always)
  package func enterUnlessNested() -> Bool { enterInTurn() == .entered }

  /// Enters, if necessary after waiting. The result is `busy` only if the owner waits for this thread, or if another signal
  /// of this thread waits for what was left before it.
  @inlinable @inline(__always)
  func enterInTurn() -> Gate.Entry { enterInTurn(Gate.currentThread) }

  /// Enters for the calling thread, whose number the caller knows.
  @inlinable @inline(__always)
  func enterInTurn(_ thread: UInt32) -> Gate.Entry {
    let entry = gate.enter(thread)
    if _slowPath(entry == .busy) { return waitForTurn() }
    if entry == .nested, _slowPath(signalsLeft.pointee.load(ordering: .relaxed) != 0) {
      return runEarlier() ? .nested : .busy
    }
    return entry
  }

  /// Waits for the turn. If there is work in the inbox, the turn begins with it, because this thread may
  /// have left some of it. What this thread sends during that work comes after the signal that waits.
  @usableFromInline @inline(never)
  func waitForTurn() -> Gate.Entry {
    let entry = gate.waitForTurn()
    guard entry == .entered, gate.hasWork else { return entry }
    var done = Done()
    catchUp { runInbox(&done) }
    if !done.isEmpty { retire(done) }
    return entry
  }

  /// Runs `signal` now, or, when another thread is running one, `busy`, which must enqueue a copy.
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

  /// Enters if no thread has entered, not even this one. A caller that gets true must leave.
  @inlinable @inline(__always)
  package func enterIfFree() -> Bool { gate.enterIfFree() }

  /// Leaves the gate, after doing the work that others have left. For the caller that has entered it.
  @inlinable @inline(__always)
  package func leave() {
    if !_fastPath(gate.word.releaseUnmarked()) { leaveSlowly() }
  }

  /// `enterIfFree` and `leave` for a thread that has acquired the bias, so that they can be part of one step. They
  /// return false if they have done nothing.
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

  /// Whether signals were left that have not run.
  var hasLeftSignals: Bool { signalsLeft.pointee.load(ordering: .relaxed) != 0 }

  /// Runs `signal` when it is its turn; where ``run(_:busy:)`` would run `busy`, leaves it in the inbox.
  @usableFromInline
  package func run(_ signal: @escaping () -> Void) {
    run(signal, busy: { enqueue(signal) })
  }

  /// Runs `signal` now, or leaves it to the thread that is running one.
  @usableFromInline
  package func runNow(_ signal: @escaping () -> Void) {
    runNow(signal, busy: { betweenSignals(signal) })
  }

  /// Leaves `signal`, whose turn cannot be waited for, in the inbox. It runs, on this thread or another, before the next signal.
  @usableFromInline @inline(never)
  package func enqueue(_ signal: @escaping () -> Void) {
    enqueue(.run(signal))
  }

  /// `isSignal` is false if nested signals that are sent later may come before it.
  @usableFromInline
  func enqueue(_ job: Job, isSignal: Bool = true) {
    _ = leave { left in
      left.append(job, isSignal: isSignal)
      if isSignal { signalsLeft.pointee.add(1, ordering: .relaxed) }
    }
  }

  /// Leaves `signal` in the inbox, unless `isClosed` is true. Returns whether it is left.
  package func enqueue(_ signal: @escaping () -> Void, unless isClosed: () -> Bool) -> Bool {
    enqueue(.run(signal), unless: isClosed)
  }

  func enqueue(_ signal: Job, unless isClosed: () -> Bool) -> Bool {
    leave(unless: isClosed) { left in
      left.append(signal, isSignal: true)
      signalsLeft.pointee.add(1, ordering: .relaxed)
    }
  }

  private func leave(unless isClosed: () -> Bool = { false }, _ append: (LeftJobs) -> Void) -> Bool {
    let isOpen = inbox.withLock { inbox in
      if isClosed() { return false }
      let left = inbox.left ?? LeftJobs()
      append(left)
      inbox.left = left
      return true
    }
    if isOpen { drainSoon() }
    return isOpen
  }

  /// Runs `change`, on this thread or another, when no signal is running.
  @usableFromInline @inline(never)
  package func betweenSignals(_ change: @escaping () -> Void) {
    enqueue(.run(change), isSignal: false)
  }

  /// Leaves a demand on a stream in the inbox. Demand that comes before it is granted is added to it.
  @usableFromInline @inline(never)
  func enqueue(
    _ demand: Subscribers.Demand, of stream: AnyObject, _ grant: @escaping (Subscribers.Demand) -> Void
  ) {
    _ = leave { $0.append(request: .request(demand, of: stream, grant)) }
  }

  /// Leaves a copy of a batch in the inbox, with the closure to call with each value.
  @usableFromInline @inline(never)
  package func enqueue<Value>(
    copyOf batch: UnsafeBufferPointer<Value>, _ signal: @escaping (UnsafeBufferPointer<Value>) -> Void
  ) {
    enqueue(.each(LeftValues(copyOf: batch, signal)))
  }

  /// Keeps `object` until no signal is running.
  @usableFromInline
  package func retire(_ object: Any) {
    inbox.withLock { $0.retired.append(object) }
    drainSoon()
  }

  /// From within a signal: runs `action` when the gate is free again.
  ///
  /// A request to an upstream belongs here: it may be answered with values without end, and inside the gate it would
  /// keep out the signals of other threads.
  @usableFromInline
  package func afterLeaving(_ action: @escaping () -> Void) {
    afterwards.value.append(.run(action))
    drainSoon()
  }

  /// From within a signal: requests from a subscription when the gate is free again, together with demand that was left
  /// before.
  @usableFromInline
  func afterLeaving(request demand: Subscribers.Demand, from subscription: any Subscription & AnyObject) {
    afterwards.value.add(.request(demand, of: subscription) { subscription.request($0) })
    drainSoon()
  }

  /// Makes sure that a thread drains the inbox.
  @usableFromInline
  func drainSoon() {
    if gate.markWork() { drain() }
  }

  /// Does the work in the inbox, then leaves the gate. For the gate's owner, outside of any signal.
  @usableFromInline @inline(never)
  func drain() {
    // Releasing and running these may run the user's code, for any length of time. So they wait until no work is left
    // without a thread to do it.
    var done = Done()
    var actions: [Job] = []
    repeat {
      runInbox(&done)
      for action in exchange(&afterwards.value, with: []) { actions.add(action) }
    } while !gate.releaseToNext() && gate.markWork()
    done = Done()
    // Each is released when it is done: the next one may take for ever.
    actions.reverse()
    while let action = actions.popLast() { _ = run(action, then: { $0() }) }
  }
}
