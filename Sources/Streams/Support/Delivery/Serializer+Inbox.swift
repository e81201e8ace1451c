import Synchronization

/// What signals leave to the thread at work.
extension Serializer {
  @usableFromInline
  enum Job {
    case run(() -> Void)
    /// Returns the effect to run when the signal is over.
    case signal(() -> (() -> Void)?)
    /// Returns an object to release when no signal is running.
    case releasing(() -> Any)
    /// Sends the next of several values.
    case each(LeftValues)
    /// Passes on demand to the object.
    case request(Subscribers.Demand, of: AnyObject, (Subscribers.Demand) -> Void)

    /// The job with more demand, if that is of the same object.
    func adding(_ job: Job) -> Job? {
      guard case .request(let demand, let object, let pass) = self,
        case .request(let more, let other, _) = job, object === other
      else { return nil }
      return .request(demand + more, of: object, pass)
    }

    /// Whether releasing it may run the user's code: the closure of a request holds only the stream.
    var isForeign: Bool { if case .request = self { false } else { true } }
  }

  /// Values that were left together. They are sent as if each had been left alone: what a callback sends
  /// while it receives one comes after the others.
  @usableFromInline
  final class LeftValues {
    private let count: Int
    private let send: (Int) -> (() -> Void)?
    private var begun = 0

    /// `send` sends the value with a number, and returns the effect to run when the signal is over.
    init(_ count: Int, _ send: @escaping (Int) -> (() -> Void)?) { (self.count, self.send) = (count, send) }

    convenience init<Value>(
      copyOf batch: UnsafeBufferPointer<Value>, _ send: @escaping (UnsafeBufferPointer<Value>) -> Void
    ) {
      let copy = Array(batch)
      self.init(copy.count) { number in
        copy.withUnsafeBufferPointer { send($0.single(number)) }
        return nil
      }
    }

    /// Goes on to the next one. Returns whether it is the last.
    func moveOn() -> Bool {
      begun += 1
      return begun == count
    }

    func sendCurrent() -> (() -> Void)? { send(begun - 1) }
  }

  @usableFromInline
  struct Inbox {
    /// Made when something is left for the first time.
    @usableFromInline var left: LeftJobs?
    @usableFromInline var retired: [Any] = []

    @inlinable
    init() {}
  }

  /// What has been left and has not run, in order.
  @usableFromInline
  final class LeftJobs {
    /// Jobs that come before every signal that is sent later, and their numbers.
    private var signals = Queue<(Job, number: UInt64)>()
    /// Jobs that run when no signal is running, and their numbers.
    private var others = Queue<(Job, number: UInt64)>()
    /// The number of the next one.
    private(set) var end: UInt64 = 0

    func append(_ job: Job, isSignal: Bool) {
      if isSignal { signals.append((job, end)) } else { others.append((job, end)) }
      end += 1
    }

    /// Appends a request. If the last job is a request of the same object, adds it to that, so threads
    /// that request without pause do not fill the inbox.
    func append(request: Job) {
      if let last = others.last, last.number + 1 == end, let sum = last.0.adding(request) {
        others.last = (sum, last.number)
      } else {
        append(request, isSignal: false)
      }
    }

    var hasSignals: Bool { !signals.isEmpty }

    /// The first signal, or the first of all. It is taken out, unless it has more values to send.
    func next(before end: UInt64, onlySignals: Bool) -> Next? {
      let isSignal =
        onlySignals || !signals.isEmpty && (others.isEmpty || signals[0].number < others[0].number)
      let found = isSignal ? Self.next(in: &signals, before: end) : Self.next(in: &others, before: end)
      return found.map { Next(job: $0.job, isSignal: isSignal, isOut: $0.isOut) }
    }

    private static func next(
      in jobs: inout Queue<(Job, number: UInt64)>, before end: UInt64
    ) -> (job: Job, isOut: Bool)? {
      if jobs.isEmpty || jobs[0].number >= end { return nil }
      let first = jobs[0].0
      if case .each(let values) = first, !values.moveOn() { return (first, false) }
      _ = jobs.popFirst()
      // A thread that was kept waiting for long may have left many; their memory is not kept.
      if jobs.isEmpty, jobs.capacity > 64 { jobs = Queue() }
      return (first, true)
    }
  }

  @usableFromInline
  struct Next {
    let job: Job
    let isSignal: Bool
    /// Whether it has left the inbox.
    let isOut: Bool
  }

  /// What was done, to be released when no signal is running.
  struct Done {
    var jobs: [Job] = []
    var objects: [Any] = []

    var isEmpty: Bool { jobs.isEmpty && objects.isEmpty }
  }

  /// Does the work that is in the inbox now. For the gate's owner, outside of any signal.
  func runInbox(_ done: inout Done) {
    let end = inbox.withLock { inbox in
      done.objects += exchange(&inbox.retired, with: [])
      return inbox.left?.end ?? 0
    }
    while let next = next(before: end) {
      if let object = run(next.job, then: { afterLeaving($0) }) { done.objects.append(object) }
      if next.isOut, next.job.isForeign { done.jobs.append(next.job) }
    }
  }

  private func next(before end: UInt64, onlySignals: Bool = false) -> Next? {
    inbox.withLock { inbox in
      let next = inbox.left?.next(before: end, onlySignals: onlySignals)
      if let next, next.isSignal, next.isOut { signalsLeft.pointee.subtract(1, ordering: .relaxed) }
      return next
    }
  }

  /// From within a signal: runs the signals that were left, before the nested signal that is next.
  /// Signals that are sent meanwhile are left too, because they come after the one that waits. Returns
  /// whether the next signal may run now.
  @usableFromInline @inline(never)
  package func runEarlier() -> Bool {
    guard signalsLeft.pointee.load(ordering: .relaxed) & Self.catchingUp == 0 else { return false }
    var done = Done()
    catchUp {
      let end = inbox.withLock { $0.left?.end ?? 0 }
      while let next = next(before: end, onlySignals: true) {
        // The effects are immediate, like those of any signal within another.
        if let object = run(next.job, then: { $0() }) { done.objects.append(object) }
        if next.isOut { done.jobs.append(next.job) }
      }
    }
    if !done.isEmpty { retire(done) }
    return true
  }

  /// Runs `work`: signals that come before a waiting signal of this thread.
  func catchUp(_ work: () -> Void) {
    signalsLeft.pointee.add(Self.catchingUp, ordering: .relaxed)
    work()
    signalsLeft.pointee.subtract(Self.catchingUp, ordering: .relaxed)
  }

  /// From within a signal: runs `action`, unless signals were left. None can be left while it runs, so
  /// it must not run other code. Returns its result, or false if it has not run.
  package func unlessSignalsAreLeft(_ action: () -> Bool) -> Bool {
    inbox.withLock { $0.left?.hasSignals != true && action() }
  }

  /// Returns an object to release when no signal is running.
  func run(_ job: Job, then runEffect: (@escaping () -> Void) -> Void) -> Any? {
    switch job {
    case .run(let body): body()
    case .signal(let body): if let effect = body() { runEffect(effect) }
    case .each(let values): if let effect = values.sendCurrent() { runEffect(effect) }
    case .releasing(let body): return body()
    case .request(let demand, _, let pass): pass(demand)
    }
    return nil
  }
}

extension [Serializer.Job] {
  /// Appends a job, or adds it to the last one, if both are requests of the same object.
  mutating func add(_ job: Element) {
    if let sum = last?.adding(job) { self[count - 1] = sum } else { append(job) }
  }
}
