import CStreams
import StreamsShims

/// A stateless step: makes at most one value from one value. It keeps the previous step, so that adding
/// a step costs the same, however many there are.
final class Step: Callback {
  enum Function {
    case map(streams_transform_fn)
    case filter(streams_predicate_fn)
    case compactMap(streams_transform_fn)
  }

  let function: Function
  /// The number of steps up to this one.
  private(set) var count: UInt32 = 1
  private var previous: Step?

  init(_ function: Function, _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?) {
    self.function = function
    super.init(context, destroy)
  }

  /// Puts this step, which is not shared yet, after another.
  func follow(_ previous: Step?) {
    self.previous = previous
    count = (previous?.count ?? 0) + 1
  }

  /// Calls `body` with each step and its index, from this one back, while it returns true. Returns whether it always has.
  func allSatisfy(_ body: (Int, Step) -> Bool) -> Bool {
    // Each keeps the one before, so no reference is counted.
    var next: Unmanaged<Step>? = .passUnretained(self)
    while let each = next {
      guard each._withUnsafeGuaranteedRef({ body(Int($0.count) - 1, $0) }) else { return false }
      next = each._withUnsafeGuaranteedRef { step in step.previous.map { .passUnretained($0) } }
    }
    return true
  }

  /// Releases the chain in a loop, without recursion.
  deinit {
    var step = previous.take()
    while isKnownUniquelyReferenced(&step) { step = step?.previous.take() }
  }
}

/// Steps of C functions, laid out for calls: once, for all subscribers of a publisher.
///
/// Values are C structs on the stack here. What they own is released by hand, because nearly always it is nothing. C functions
/// call one callback after the other; results that are not numbers are handled here.
final class Steps: ManagedBuffer<Steps.Layout, streams_raw_step> {
  struct Layout {
    /// Keeps the callbacks alive.
    let last: Step
    /// The size of the steps in bytes.
    let size: Int32
    /// The offset in bytes of the last step that makes a value; -1 if there is none.
    var maker: Int32 = -1
    var isOnlyMaps = false

    init(_ last: Step) {
      self.last = last
      size = Int32(Int(last.count) * MemoryLayout<streams_raw_step>.stride)
    }
  }

  static func of(_ last: Step) -> Steps {
    let count = Int(last.count)
    let steps = unsafeDowncast(
      Steps.create(minimumCapacity: count) { _ in Layout(last) }, to: Steps.self)
    steps.withUnsafeMutablePointers { header, raw in
      var maps = 0
      _ = last.allSatisfy { place, step in
        (raw + place).initialize(to: step.raw)
        if case .map = step.function { maps += 1 }
        if case .filter = step.function { return true }
        if header.pointee.maker < 0 {
          header.pointee.maker = Int32(place * MemoryLayout<streams_raw_step>.stride)
        }
        return true
      }
      header.pointee.isOnlyMaps = count <= STREAMS_MAPS_IN_A_ROW && maps == count
    }
    return steps
  }

  /// The outcome of a value that needed the slow path.
  enum Outcome {
    /// It passed unchanged: it is still the input.
    case kept
    /// It passed, and the result is owned.
    case made
    case dropped
    case failed(StreamError)
  }

  /// Passes each value through all steps before the next one, until all are done or one needs the slow path. `taken` counts the
  /// values that were made, and gathered, or dropped. Returns the outcome of the next one if it needed the slow path; its result
  /// is in the place of the next result.
  @inline(__always)
  func run(
    _ values: UnsafePointer<streams_value>, _ count: Int,
    _ gathering: UnsafeMutablePointer<streams_gathering>, until ended: UnsafePointer<UInt8>,
    _ room: UnsafeMutablePointer<streams_pass_room>, taken: inout Int
  ) -> Outcome? {
    let passage = streams_pass_begin(room, ended).unsafelyUnwrapped
    var reached = Int32(STREAMS_PASS_CARE)
    passage.pointee.step = UnsafePointer(first)
    passage.pointee.end = end
    passage.pointee.maker = maker
    if raw.pointee.isOnlyMaps, passage.pointee.named == 0 {
      taken = streams_pass_maps(passage, values, count, gathering)
      if taken == count { return nil }
    } else {
      taken = streams_pass_row(passage, values, count, gathering, &reached)
      if reached == STREAMS_PASS_DONE { return nil }
    }
    return finish(&passage.pointee, Int(reached), values + taken)
  }

  /// Passes one value through all steps. Returns its address afterwards, or nil if it was dropped, or the room if it needs the
  /// slow path. No error may be pending before.
  @inline(__always)
  func run(
    _ value: UnsafePointer<streams_value>, until ended: UnsafePointer<UInt8>,
    _ room: UnsafeMutablePointer<streams_pass_room>
  ) -> UnsafeRawPointer? {
    streams_pass_single(room, first, end, value, ended)
  }

  /// Passes each value through all steps, and to `deliver`, before the next one, until the stream has ended. Returns how many have
  /// been, and whether the next one is amid the steps, and needs the slow path.
  func runEach(
    _ values: UnsafePointer<streams_value>, _ count: Int, until ended: UnsafePointer<UInt8>,
    _ room: UnsafeMutablePointer<streams_pass_room>, _ deliver: streams_deliver_passed,
    _ context: UnsafeMutableRawPointer
  ) -> (count: Int, isStopped: Bool) {
    var isStopped = false
    let count = streams_pass_each(room, first, end, values, count, ended, deliver, context, &isStopped)
    return (count, isStopped)
  }

  /// Passes a value that needs the slow path through the remaining steps. Returns its outcome and its result's address.
  func finish(
    _ value: UnsafePointer<streams_value>, _ room: UnsafeMutablePointer<streams_pass_room>
  ) -> (Outcome, UnsafeMutablePointer<streams_value>) {
    let result = streams_pass_result(room, maker).assumingMemoryBound(to: streams_value.self)
    return (finish(&room.pointee.passage, Int(STREAMS_PASS_CARE), value), result)
  }

  @inline(__always)
  private var first: UnsafeMutablePointer<streams_raw_step> { withUnsafeMutablePointerToElements { $0 } }

  @inline(__always)
  private var end: UnsafePointer<streams_raw_step> { step(after: raw.pointee.size) }

  @inline(__always)
  private var maker: UnsafePointer<streams_raw_step>? {
    raw.pointee.maker < 0 ? nil : step(after: raw.pointee.maker)
  }

  /// The header. Each use of `header` would be checked for exclusivity.
  @inline(__always)
  private var raw: UnsafeMutablePointer<Layout> { withUnsafeMutablePointerToHeader { $0 } }

  /// The step at an offset in bytes.
  @inline(__always)
  private func step(after size: Int32) -> UnsafePointer<streams_raw_step> {
    (UnsafeRawPointer(first) + Int(size)).assumingMemoryBound(to: streams_raw_step.self)
  }

  /// Passes a value that needs the slow path through the remaining steps.
  @inline(never)
  private func finish(
    _ passage: inout streams_passage, _ start: Int, _ input: UnsafePointer<streams_value>
  ) -> Outcome {
    var reached = start
    var failure: StreamError?
    while reached == STREAMS_PASS_CARE {
      if passage.isAtFilter {
        reached = passage.check(&failure) ? passage.filtered() : STREAMS_PASS_CARE
      } else {
        let isMade = passage.check(&failure) && passage.takeOver(&failure)
        passage.releaseCurrent()
        if isMade { reached = passage.moveOn() }
      }
      if let failure {
        passage.releaseCurrent()
        return .failed(failure)
      }
    }
    if reached == STREAMS_PASS_DROPPED {
      passage.releaseCurrent()
      return .dropped
    }
    return passage.current == UnsafeRawPointer(input) ? .kept : .made
  }
}

extension Step {
  fileprivate var raw: streams_raw_step {
    var raw = streams_raw_step()
    raw.context = context
    switch function {
    case .map(let function):
      raw.kind = Int32(STREAMS_STEP_MAP)
      raw.call.function = unsafeBitCast(function, to: UnsafeRawPointer.self)
    case .filter(let function):
      raw.kind = Int32(STREAMS_STEP_FILTER)
      raw.call.function = unsafeBitCast(function, to: UnsafeRawPointer.self)
    case .compactMap(let function):
      raw.kind = Int32(STREAMS_STEP_COMPACT_MAP)
      raw.call.function = unsafeBitCast(function, to: UnsafeRawPointer.self)
    }
    return raw
  }
}

extension streams_passage {
  /// The result of the current step.
  fileprivate var made: UnsafeMutablePointer<streams_value> {
    out.assumingMemoryBound(to: streams_value.self)
  }

  /// Whether the current step drops null, and its result is null.
  fileprivate var isDropped: Bool {
    step.pointee.kind == Int32(STREAMS_STEP_COMPACT_MAP)
      && made.pointee.kind == STREAMS_VALUE_NULL.rawValue
  }

  fileprivate var hasEnded: Bool { streams_has_ended(ended) != 0 }

  fileprivate var isAtFilter: Bool { step.pointee.kind == Int32(STREAMS_STEP_FILTER) }

  /// Handles the status that the current step's callback has returned, and its named error. Returns false if it has failed.
  fileprivate func check(_ failure: inout StreamError?) -> Bool {
    if status == 0 && streams_pending_error() == named { return true }
    do {
      try UserCallback.check(streams_status(rawValue: UInt32(bitPattern: status)), since: named)
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Continues after a filter. Returns how far.
  fileprivate mutating func filtered() -> Int {
    guard keeps, !hasEnded else { return STREAMS_PASS_DROPPED }
    streams_pass_filter(&self)
    return Int(streams_pass(&self))
  }

  /// Continues with the result of the current step. Returns how far.
  fileprivate mutating func moveOn() -> Int {
    if hasEnded { made.destroyOwned() }
    let isDropped = isDropped || hasEnded
    owns = isDropped || made.pointee.owner == nil ? 0 : 1
    if isDropped { return STREAMS_PASS_DROPPED }
    streams_pass_step(&self)
    return Int(streams_pass(&self))
  }

  /// Takes ownership of the current step's result. Returns false if it is invalid.
  fileprivate func takeOver(_ failure: inout StreamError?) -> Bool {
    do {
      made.store(try Value.takingResult(made))
      return true
    } catch {
      failure = error
      return false
    }
  }

  /// Releases what the current value owns.
  fileprivate mutating func releaseCurrent() {
    guard owns != 0 else { return }
    UnsafeMutableRawPointer(mutating: current!).assumingMemoryBound(to: streams_value.self).destroyOwned()
    owns = 0
  }
}

extension UnsafeMutablePointer where Pointee == streams_value {
  /// Releases what a value owns, if anything.
  @inline(__always)
  func destroyOwned() {
    if pointee.owner != nil { _ = take() }
  }
}
