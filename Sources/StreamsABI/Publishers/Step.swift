import CStreams
import StreamsShims

/// A stateless step: something that makes at most one value of one value. It keeps the one before, so that one step more
/// costs the same however many there are.
final class Step: Callback {
  enum Function {
    case map(streams_transform_fn)
    case filter(streams_predicate_fn)
    case compactMap(streams_transform_fn)
  }

  let function: Function
  /// How many steps there are up to this one.
  private(set) var count: UInt32 = 1
  private var previous: Step?

  init(_ function: Function, _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?) {
    self.function = function
    super.init(context, destroy)
  }

  /// Makes this step, which nobody else has yet, the one after another.
  func follow(_ previous: Step?) {
    self.previous = previous
    count = (previous?.count ?? 0) + 1
  }

  /// Calls `body` with each step and its place, from this one back, for as long as it returns true. Returns whether it
  /// always has.
  func allSatisfy(_ body: (Int, Step) -> Bool) -> Bool {
    // Each keeps the one before: none is counted.
    var next: Unmanaged<Step>? = .passUnretained(self)
    while let each = next {
      guard each._withUnsafeGuaranteedRef({ body(Int($0.count) - 1, $0) }) else { return false }
      next = each._withUnsafeGuaranteedRef { step in step.previous.map { .passUnretained($0) } }
    }
    return true
  }

  /// One after the other, not one within the other.
  deinit {
    var step = previous.take()
    while isKnownUniquelyReferenced(&step) { step = step?.previous.take() }
  }
}

/// Steps of C functions, laid out for calling: once, for all who subscribe to a publisher.
///
/// Values are C structs on the stack here; what they own is released by hand, because nearly always it is nothing.
/// Functions in C call one callback after the other; what does not come out as a number is seen to here.
final class Steps: ManagedBuffer<Steps.Layout, streams_raw_step> {
  struct Layout {
    /// Keeps the callbacks alive.
    let last: Step
    /// How many bytes the steps are.
    let size: Int32
    /// So many bytes after the first is the last step that makes a value; -1 if there is none.
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

  /// What became of a value that needed more than calling.
  enum Outcome {
    /// It went through unchanged: it is the input still.
    case kept
    /// It went through and is in the result, owned.
    case made
    case dropped
    case failed(StreamError)
  }

  /// Runs values through all steps, each before the next, until all are done or one needs more than calling. So many as
  /// `taken` says have been made, and are gathered, or dropped. Returns what the next has come to, if it needed care;
  /// what it was made into is where the next result belongs.
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

  /// Runs one value through all steps. Returns where it is then, nil if it was dropped; the room, if it needs more than
  /// calling. No error may be named before.
  @inline(__always)
  func run(
    _ value: UnsafePointer<streams_value>, until ended: UnsafePointer<UInt8>,
    _ room: UnsafeMutablePointer<streams_pass_room>
  ) -> UnsafeRawPointer? {
    streams_pass_single(room, first, end, value, ended)
  }

  /// Takes such a value the rest of the way. Returns what it has come to and where its result is.
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

  /// The header. By way of `header`, each use would be checked.
  @inline(__always)
  private var raw: UnsafeMutablePointer<Layout> { withUnsafeMutablePointerToHeader { $0 } }

  /// The step that begins so many bytes after the first.
  @inline(__always)
  private func step(after size: Int32) -> UnsafePointer<streams_raw_step> {
    (UnsafeRawPointer(first) + Int(size)).assumingMemoryBound(to: streams_raw_step.self)
  }

  /// Takes a value the rest of the way, one whose steps need more than calling.
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
  /// What the current step has made.
  fileprivate var made: UnsafeMutablePointer<streams_value> {
    out.assumingMemoryBound(to: streams_value.self)
  }

  /// Whether the current step is one that drops null, and has made it.
  fileprivate var isDropped: Bool {
    step.pointee.kind == Int32(STREAMS_STEP_COMPACT_MAP)
      && made.pointee.kind == STREAMS_VALUE_NULL.rawValue
  }

  fileprivate var hasEnded: Bool { streams_has_ended(ended) != 0 }

  fileprivate var isAtFilter: Bool { step.pointee.kind == Int32(STREAMS_STEP_FILTER) }

  /// Deals with what the current step's callback returned and named. Returns false if it has failed.
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

  /// Goes on after a filter. Returns how far.
  fileprivate mutating func filtered() -> Int {
    guard keeps, !hasEnded else { return STREAMS_PASS_DROPPED }
    streams_pass_filter(&self)
    return Int(streams_pass(&self))
  }

  /// Goes on with what the current step has made. Returns how far.
  fileprivate mutating func moveOn() -> Int {
    if hasEnded { made.destroyOwned() }
    let isDropped = isDropped || hasEnded
    owns = isDropped || made.pointee.owner == nil ? 0 : 1
    if isDropped { return STREAMS_PASS_DROPPED }
    streams_pass_step(&self)
    return Int(streams_pass(&self))
  }

  /// Makes what the current step has made the library's own. Returns false if it is nothing valid.
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
  /// Releases what an owned value owns, if anything.
  @inline(__always)
  func destroyOwned() {
    if pointee.owner != nil { _ = take() }
  }
}
