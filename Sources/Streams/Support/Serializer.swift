/// Serialises signals that arrive on several threads without a lock being held while they are delivered.
///
/// A signal runs at once when nobody else is running one, and also when it is sent from within another on the same
/// thread: recursion is legal. A signal that finds another thread at work is left in the inbox, and that thread
/// runs it on its way out. What the signals work on belongs to whoever has entered, and needs no lock.
///
/// References that a running signal may be using are not released but *retired*: they are let go when no signal is
/// running.
@frozen
@usableFromInline
package struct Serializer: ~Copyable {
  @usableFromInline
  struct Inbox {
    @usableFromInline var signals: [() -> Void] = []
    @usableFromInline var retired: [AnyObject] = []

    @inlinable
    init() {}
  }

  @usableFromInline let gate = Gate()
  @usableFromInline let inbox = Lock(Inbox())
  /// What signals leave to be done once the gate is free. Belongs to whoever has entered.
  @usableFromInline let afterwards = Cell<[() -> Void]>([])

  @inlinable @inline(__always)
  package init() {}

  // MARK: The fast path

  /// Runs `signal` now, or, when another thread is running one, `busy`, which is to submit a copy.
  @inlinable @inline(__always)
  func run<Result>(_ signal: () -> Result, busy: () -> Result) -> Result {
    switch gate.enter() {
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

  /// Enters, unless a signal is being run, by another thread or further up the stack.
  @inlinable @inline(__always)
  func enterUnlessNested() -> Bool {
    if case .entered = gate.enter() { return true }
    return false
  }

  /// Leaves the gate, after doing the work that others have left. For the caller that has entered it.
  @inlinable @inline(__always)
  func leave() {
    if !gate.leave() { drain() }
  }

  /// Whether the calling thread is running a signal.
  @inlinable @inline(__always)
  var isEntered: Bool { gate.isOwned }

  // MARK: The slow path

  /// Runs `signal` in turn with all others: now, or by the thread that is running one.
  @usableFromInline
  package func perform(_ signal: @escaping () -> Void) {
    run(signal, busy: { submit(signal) })
  }

  /// Leaves `signal` in the inbox. It runs, on this thread or another, when no other signal is running.
  @usableFromInline @inline(never)
  func submit(_ signal: @escaping () -> Void) {
    inbox.withLock { $0.signals.append(signal) }
    settle()
  }

  /// Keeps `object` until no signal is running.
  @usableFromInline
  func retire(_ object: AnyObject) {
    inbox.withLock { $0.retired.append(object) }
    settle()
  }

  /// From within a signal: does `action` when the gate is free again.
  ///
  /// A request to an upstream belongs here, because it may be answered with values without end, and meanwhile no
  /// other thread's signals would be run.
  @usableFromInline
  func afterLeaving(_ action: @escaping () -> Void) {
    afterwards.value.append(action)
    settle()
  }

  /// Sees to it that somebody looks into the inbox.
  @usableFromInline
  func settle() {
    if gate.poke() { drain() }
  }

  /// Does the work in the inbox, then leaves the gate. For the gate's owner, outside of any signal.
  @usableFromInline @inline(never)
  func drain() {
    var actions: [() -> Void] = []
    repeat {
      let work = inbox.withLock { inbox in
        defer { inbox = Inbox() }
        return inbox
      }
      for signal in work.signals { signal() }
      actions += afterwards.value
      afterwards.value = []
    } while !gate.leave()
    for action in actions { action() }
  }
}
