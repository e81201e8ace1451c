import StreamsShims
import Synchronization

extension Serializer {
  /// Work that is left for later.
  @usableFromInline
  enum Job {
    case run(() -> Void)
    /// Returns the effect to run when the signal is over.
    case signal(() -> (() -> Void)?)
    /// Returns an object to release when no signal is running.
    case releasing(() -> Any)
    /// Passes on demand to the object.
    case request(Subscribers.Demand, of: AnyObject, (Subscribers.Demand) -> Void)
  }

  /// A thread that sent a signal, and when the signal was left to another thread for the first time.
  @usableFromInline
  struct Sender {
    let thread: UInt32
    let time: UInt64

    /// A bit of 32, for a quick look: some threads have the same.
    static func bit(of thread: UInt32) -> UInt32 { 1 << (thread >> 3 & 31) }
  }

  /// A job, and the order that it has.
  @usableFromInline
  struct Left {
    @usableFromInline let job: Job
    /// The thread that was not let in and, if it was running a signal that had been left, the senders of that signal. Work
    /// without an order, such as requests, has no senders.
    @usableFromInline let senders: [Sender]

    init(_ job: Job, senders: [Sender] = []) {
      self.job = job
      self.senders = senders
    }

    var bits: UInt32 { senders.reduce(0) { $0 | Sender.bit(of: $1.thread) } }
  }

  /// A signal that was left to this thread, and is running.
  final class RunningSignal {
    let senders: [Sender]
    let outer: RunningSignal?
    private let begin: UInt64

    private static let clock = Atomic<UInt64>(0)
    static func nextTime() -> UInt64 { clock.wrappingAdd(1, ordering: .relaxed).newValue }

    private init(_ senders: [Sender], in outer: RunningSignal?) {
      self.senders = senders
      self.outer = outer
      begin = Self.clock.load(ordering: .relaxed)
    }

    /// The innermost one.
    static var current: RunningSignal? {
      streams_running_signal().map { Unmanaged<RunningSignal>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body`, which is what `senders` have sent.
    static func run<Result>(_ senders: [Sender], _ body: () -> Result) -> Result {
      let outer = streams_running_signal()
      guard outer != nil || !senders.isEmpty else { return body() }
      let signal = RunningSignal(senders, in: current)
      streams_set_running_signal(Unmanaged.passUnretained(signal).toOpaque())
      defer { streams_set_running_signal(outer) }
      return withExtendedLifetime(signal, body)
    }

    /// Whether the sender sent a signal after this one, or one that this is within, and before that began.
    func defers(_ sender: Sender) -> Bool {
      let own = senders.first { $0.thread == sender.thread }
      if let own, own.time <= sender.time, sender.time <= begin { return true }
      return outer?.defers(sender) ?? false
    }
  }

  /// The signal that this thread sends next.
  struct NextSignal {
    let thread = Gate.currentThread
    /// The senders and their bits.
    private let threads: [UInt32]
    let bits: UInt32
    private let others: [Sender]
    private let within = RunningSignal.current

    init() {
      others = within?.senders.filter { [thread] in $0.thread != thread } ?? []
      threads = [thread] + others.map(\.thread)
      bits = threads.reduce(0) { $0 | Sender.bit(of: $1) }
    }

    /// Its senders, if it is left now.
    func senders() -> [Sender] { [Sender(thread: thread, time: RunningSignal.nextTime())] + others }

    /// Whether the sender sent a signal before this one.
    ///
    /// What a thread sends while it runs a signal that it had left itself comes with that signal: before what it left after
    /// that one.
    func comesAfter(_ sender: Sender) -> Bool {
      if sender.thread == thread, within?.defers(sender) != true { return true }
      return within?.senders.contains { $0.thread == sender.thread && sender.time < $0.time } ?? false
    }

    /// Whether it comes after any of the jobs, as far as the first of each sender tells. `bits` are those of all senders.
    func comesAfter(firstOf jobs: some Sequence<Left>, bits: UInt32) -> Bool {
      var undecided = threads.filter { bits & Sender.bit(of: $0) != 0 }
      for left in jobs {
        if undecided.isEmpty { break }
        for sender in left.senders where undecided.contains(sender.thread) {
          if comesAfter(sender) { return true }
          undecided.removeAll { $0 == sender.thread }
        }
      }
      return false
    }
  }
}

extension [Serializer.Left] {
  /// Appends a job. A request of the same object as the last job's is added to that, so threads that request without pause
  /// do not fill the inbox.
  mutating func add(_ left: Element) {
    if case .request(let more, let somebody, _) = left.job,
      case .request(let demand, let last, let pass) = self.last?.job, last === somebody
    {
      self[count - 1] = Element(.request(demand + more, of: last, pass))
    } else {
      append(left)
    }
  }

  /// Takes out, in order, those that come before a signal, and what the senders of these sent before them. `threads` are
  /// the senders of what was taken out.
  mutating func removeAll(before signal: Serializer.NextSignal, _ threads: inout Set<UInt32>) -> [Element] {
    var (taken, others): ([Element], [Element]) = ([], [])
    for left in reversed() {
      if left.senders.contains(where: { threads.contains($0.thread) || signal.comesAfter($0) }) {
        threads.formUnion(left.senders.map(\.thread))
        taken.append(left)
      } else {
        others.append(left)
      }
    }
    self = others.reversed()
    return taken.reversed()
  }
}
