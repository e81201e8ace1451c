import Synchronization

/// What signals leave to the thread at work.
extension Serializer {
  @usableFromInline
  struct Inbox {
    @usableFromInline var jobs: [Left] = []
    @usableFromInline var retired: [Any] = []

    @inlinable
    init() {}

    /// Whether releasing it may run the user's code: the closure of a request holds only the stream.
    var isForeign: Bool {
      let hasRun = jobs.contains { if case .request = $0.job { false } else { true } }
      return hasRun || !retired.isEmpty
    }
  }

  /// Does the work in the inbox, and returns it. For the gate's owner, outside of any signal.
  func runInbox() -> Inbox {
    var work = inbox.withLock { exchange(&$0, with: Inbox()) }
    runAll(work.jobs) { left in
      if let result = perform(left, then: { afterLeaving($0) }) { work.retired.append(result) }
    }
    if sendersWithWork.pointee.load(ordering: .relaxed) != 0 { inbox.withLock { noteSenders($0) } }
    return work
  }

  /// From within a signal: runs those that were left and that the senders of the next one sent before it.
  @usableFromInline @inline(never)
  func runEarlier() {
    let (next, bits) = (NextSignal(), sendersWithWork.pointee.load(ordering: .relaxed))
    guard bits & next.bits != 0 else { return }
    let taken = inbox.withLock { takeOut(before: next, bits, &$0) }
    guard !taken.isEmpty else { return }
    // As those of any signal from within another, the effects are immediate.
    runAll(taken) { left in
      if let result = perform(left, then: { $0() }) { retire(result) }
    }
    retire(taken)
  }

  /// Takes out what comes before a signal.
  private func takeOut(before next: NextSignal, _ bits: UInt32, _ inbox: inout Inbox) -> [Left] {
    let running = running.value
    // The signals of a sender are in order, but for what one sends that runs its own: that is in the inbox, at the end.
    guard
      next.comesAfter(firstOf: running.reversed().lazy.map { $0.reversed() }.joined(), bits: bits)
        || next.comesAfter(firstOf: inbox.jobs, bits: bits)
        || next.comesAfter(firstOf: inbox.jobs.reversed(), bits: bits)
    else { return [] }
    var threads: Set<UInt32> = []
    var taken = inbox.jobs.removeAll(before: next, &threads)
    // The innermost ones come first.
    for index in running.indices {
      var jobs = Array(running[index].reversed())
      taken = jobs.removeAll(before: next, &threads) + taken
      self.running.value[index] = jobs.reversed()
    }
    noteSenders(inbox)
    return taken
  }

  /// Runs the jobs, but for those that ``runEarlier()`` takes out meanwhile, as they come before a later one.
  private func runAll(_ jobs: [Left], _ run: (Left) -> Void) {
    guard !jobs.isEmpty else { return }
    let index = running.value.count
    running.value.append(jobs.reversed())
    while let next = running.value[index].popLast() { run(next) }
    running.value.removeLast()
  }

  /// With the inbox locked: notes who sent what has not run.
  private func noteSenders(_ inbox: Inbox) {
    let bits = (running.value.joined() + inbox.jobs).reduce(0) { $0 | $1.bits }
    sendersWithWork.pointee.store(bits, ordering: .relaxed)
  }

  /// Returns an object to release when no signal is running.
  @discardableResult
  func perform(_ left: Left, then runEffect: (@escaping () -> Void) -> Void) -> Any? {
    RunningSignal.run(left.senders) {
      switch left.job {
      case .run(let body): body()
      case .signal(let body): if let effect = body() { runEffect(effect) }
      case .releasing(let body): return body()
      case .request(let demand, _, let pass): pass(demand)
      }
      return nil
    }
  }
}
