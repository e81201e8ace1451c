import CStreams
import Streams
import StreamsShims

/// Cuts the recursion of nested streams where the thread's stack is low: the rest of the work is left to the outermost frame of
/// this kind, which does it when the inner frames have returned. So no chain is long enough to exhaust the stack.
enum Trampoline {
  /// Whether there is such a frame further up the stack.
  @inline(__always)
  static var hasOne: Bool { streams_trampoline() != STREAMS_NO_TRAMPOLINE }

  /// Whether inner frames have left work.
  @inline(__always)
  static var hasWork: Bool { streams_trampoline() == STREAMS_TRAMPOLINE_WITH_WORK }

  /// Runs `body` on this stack, and then the work that inner frames have left.
  @inline(__always)
  static func through<Result>(_ body: () -> Result) -> Result {
    let isFirst = !hasOne
    if isFirst { streams_set_trampoline(Int32(STREAMS_TRAMPOLINE)) }
    let result = body()
    if isFirst { land() }
    return result
  }

  /// Runs `body` as the outermost frame. `through` also works within another one.
  @inline(__always)
  static func first<Result>(_ body: () -> Result) -> Result {
    streams_set_trampoline(Int32(STREAMS_TRAMPOLINE))
    let result = body()
    land()
    return result
  }

  /// Runs `body` for a call from outside, after delivering what has been gathered. Where results have been gathered, there is a
  /// frame further up, so only a nested call checks.
  @inline(__always)
  static func enter<Result>(_ body: () -> Result) -> Result {
    let isFirst = !hasOne
    if isFirst { streams_set_trampoline(Int32(STREAMS_TRAMPOLINE)) } else { Gathering.deliverFirst() }
    let result = body()
    if isFirst { land() }
    return result
  }

  /// Runs `work` with a state, now or, where the stack is low, later.
  ///
  /// The state is passed separately, and `work` captures nothing, so that only work left for later is allocated.
  @inline(__always)
  static func run<State>(_ state: State, _ work: @escaping (State) -> Void) {
    if streams_stack_is_low() && hasOne {
      leave(state, work)
    } else {
      through { work(state) }
    }
  }

  /// Leaves `work` to the outermost frame, which has the most stack. Runs it now if this is that frame.
  static func runOutermost(_ work: @escaping () -> Void) {
    if hasOne { leave(()) { work() } } else { through(work) }
  }

  @inline(never)
  private static func leave<State>(_ state: State, _ work: @escaping (State) -> Void) {
    ThreadState.current.leave { work(state) }
    streams_set_trampoline(Int32(STREAMS_TRAMPOLINE_WITH_WORK))
  }

  /// Does the work that has been left, and the work that this leaves. It is not part of the call that happens to run it.
  @inline(__always)
  private static func land() {
    if _slowPath(hasWork) { catchUp() }
    streams_set_trampoline(Int32(STREAMS_NO_TRAMPOLINE))
  }

  @inline(never)
  private static func catchUp() {
    doLeft()
    ThreadState.existing?.forgetFailures()
  }

  /// Does, below the outermost frame, the work that has been left, before a wait that the frame would return after.
  static func catchUpBelow() {
    doLeft()
    // The outermost frame still forgets which calls have failed.
    streams_set_trampoline(Int32(STREAMS_TRAMPOLINE_WITH_WORK))
  }

  private static func doLeft() {
    while hasWork {
      streams_set_trampoline(Int32(STREAMS_TRAMPOLINE))
      for work in ThreadState.current.takeLeft() { UserCallback.releasing(work) }
    }
  }
}

extension StreamError {
  /// The failure of a stream that is nested too deep for the stack.
  static var tooDeep: StreamError {
    StreamError(
      status: STREAMS_LIMIT, "the stream is nested too deep for what is left of this thread's stack")
  }
}

/// Results that this thread has made of a batch and not delivered yet.
enum Gathering {
  /// Delivers first what this thread has gathered. Every call from outside starts with it, so that its effects come after that.
  @inline(__always)
  static func deliverFirst() {
    if let gathering = streams_gathered() { deliver(gathering) }
    if _slowPath(BatchProgress.isUnderWay) { UserCallback.releasing { BatchProgress.deliverGathered() } }
  }

  /// The delivery is not part of the call that happens to run it.
  @inline(never)
  private static func deliver(_ gathering: UnsafeMutablePointer<streams_gathering>) {
    UserCallback.releasing { gathering.pointee.deliver(gathering) }
  }
}
