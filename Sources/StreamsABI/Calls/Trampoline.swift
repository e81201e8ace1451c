import CStreams
import StreamsShims

/// What nests by nature is cut where the thread's stack is low: work is left to the outermost frame that passes through
/// here, which does it when the frames below have returned. So the stack is never used up, however long a chain is.
enum Trampoline {
  /// Whether there is one further up the stack.
  @inline(__always)
  static var hasOne: Bool { streams_trampoline() != STREAMS_NO_TRAMPOLINE }

  @inline(__always)
  private static var hasWork: Bool { streams_trampoline() == STREAMS_TRAMPOLINE_WITH_WORK }

  /// Runs `body` on this stack, and then what has been left by frames below.
  @inline(__always)
  static func through<Result>(_ body: () -> Result) -> Result {
    let isFirst = !hasOne
    if isFirst { streams_set_trampoline(Int32(STREAMS_TRAMPOLINE)) }
    let result = body()
    if isFirst { land() }
    return result
  }

  /// The same where it is known that there is none.
  @inline(__always)
  static func first<Result>(_ body: () -> Result) -> Result {
    streams_set_trampoline(Int32(STREAMS_TRAMPOLINE))
    let result = body()
    land()
    return result
  }

  /// The same for a call from outside, before which what has been gathered is delivered: where there is some, there is a
  /// frame further up.
  @inline(__always)
  static func enter<Result>(_ body: () -> Result) -> Result {
    let isFirst = !hasOne
    if isFirst { streams_set_trampoline(Int32(STREAMS_TRAMPOLINE)) } else { Gathering.deliverFirst() }
    let result = body()
    if isFirst { land() }
    return result
  }

  /// Runs `work` with a state now or, where the stack is low, later.
  ///
  /// The state is apart, and `work` captures nothing, so that only what is left for later is allocated.
  @inline(__always)
  static func run<State>(_ state: State, _ work: @escaping (State) -> Void) {
    if streams_stack_is_low() && hasOne {
      leave(state, work)
    } else {
      through { work(state) }
    }
  }

  /// Leaves `work` to the outermost frame, where there is all the room there can be. Runs it now if this is that frame.
  static func runOutermost(_ work: @escaping () -> Void) {
    if hasOne { leave(()) { work() } } else { through(work) }
  }

  @inline(never)
  private static func leave<State>(_ state: State, _ work: @escaping (State) -> Void) {
    ThreadState.current.leave { work(state) }
    streams_set_trampoline(Int32(STREAMS_TRAMPOLINE_WITH_WORK))
  }

  /// Does what has been left, and what is left meanwhile. It is no part of the call that happens to do it.
  @inline(__always)
  private static func land() {
    if _slowPath(hasWork) { catchUp() }
    streams_set_trampoline(Int32(STREAMS_NO_TRAMPOLINE))
  }

  @inline(never)
  private static func catchUp() {
    while hasWork {
      streams_set_trampoline(Int32(STREAMS_TRAMPOLINE))
      for work in ThreadState.current.takeLeft() { UserCallback.releasing(work) }
    }
    ThreadState.existing?.forgetFailures()
  }
}

extension StreamError {
  /// What a stream fails with that is nested too deep for the stack.
  static var tooDeep: StreamError {
    StreamError(
      status: STREAMS_LIMIT, "the stream is nested too deep for what is left of this thread's stack")
  }
}
