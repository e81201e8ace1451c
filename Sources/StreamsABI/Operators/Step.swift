import CStreams
import Streams

/// A stateless step: something that makes at most one value of one value.
struct Step {
  enum Function {
    case map(streams_transform_fn)
    case filter(streams_predicate_fn)
    case compactMap(streams_transform_fn)
  }

  let function: Function
  let callback: Callback
}

/// What running a value or a batch through the steps came to.
struct StepsResult {
  /// How many values came out.
  var count: Int
  /// The failure that stopped the run after those values, if any.
  var failure: StreamError?
}

/// A run of steps, laid out for calling.
///
/// Values are C structs on the stack here; what they own is released by hand, because nearly always it is nothing.
final class Steps {
  private let steps: [Step]
  private let raw: UnsafeMutablePointer<RawStep>
  let count: Int

  /// A step without reference counting. The callback lives as long as the steps.
  struct RawStep {
    let function: Step.Function
    let context: UnsafeMutableRawPointer?
  }

  init(_ steps: [Step]) {
    self.steps = steps
    count = steps.count
    raw = .allocate(capacity: steps.count)
    for (index, step) in steps.enumerated() {
      (raw + index).initialize(to: RawStep(function: step.function, context: step.callback.context))
    }
  }

  deinit { raw.deallocate() }

  /// Runs one value through the steps. `result` receives it, owned, if it gets to the end.
  @inline(__always)
  func run(
    _ input: UnsafePointer<streams_value>, _ result: UnsafeMutablePointer<streams_value>
  ) -> StepsResult {
    var spare = streams_value()
    return withUnsafeMutablePointer(to: &spare) { spare in
      var current = input
      var next = result
      for index in 0..<count {
        switch call(index, current, next) {
        case .kept:
          continue
        case .made:
          if current != input { UnsafeMutablePointer(mutating: current).destroyOwned() }
          current = UnsafePointer(next)
          next = next == result ? spare : result
        case .dropped:
          if current != input { UnsafeMutablePointer(mutating: current).destroyOwned() }
          return StepsResult(count: 0)
        case .failed(let error):
          if current != input { UnsafeMutablePointer(mutating: current).destroyOwned() }
          return StepsResult(count: 0, failure: error)
        }
      }
      if current == input {
        result.store(input.asValue.pointee)
      } else if current != UnsafePointer(result) {
        result.pointee = spare.pointee
      }
      return StepsResult(count: 1)
    }
  }

  /// Runs the first step over a batch, then the others over what is left, as separate operators would.
  ///
  /// `front` and `back` have room for the batch. The results are in `front`, owned.
  func run(
    batch: UnsafePointer<streams_value>, count: Int,
    front: inout UnsafeMutablePointer<streams_value>, back: inout UnsafeMutablePointer<streams_value>
  ) -> StepsResult {
    var result = StepsResult(count: count)
    runColumn(0, batch, &result, into: front, ownsInput: false)
    for index in 1..<max(self.count, 1) {
      let input = UnsafePointer(front)
      runColumn(index, input, &result, into: back, ownsInput: true)
      swap(&front, &back)
    }
    return result
  }

  /// Runs one step over `result.count` values, and leaves in `result` how many came out and why it stopped.
  @inline(__always)
  private func runColumn(
    _ index: Int, _ input: UnsafePointer<streams_value>, _ result: inout StepsResult,
    into output: UnsafeMutablePointer<streams_value>, ownsInput: Bool
  ) {
    var made = 0
    let count = result.count
    var position = 0
    while position < count {
      let value = input + position
      position += 1
      let out = output + made
      switch call(index, value, out) {
      case .made:
        made += 1
        if ownsInput { UnsafeMutablePointer(mutating: value).destroyOwned() }
      case .kept:
        if ownsInput {
          out.pointee = value.pointee
        } else {
          out.store(value.asValue.pointee)
        }
        made += 1
      case .dropped:
        if ownsInput { UnsafeMutablePointer(mutating: value).destroyOwned() }
      case .failed(let error):
        result.failure = error
        if ownsInput { UnsafeMutablePointer(mutating: value).destroyOwned() }
        if ownsInput { destroyRest(input, position, count) }
        position = count
      }
    }
    result.count = made
  }

  private func destroyRest(_ input: UnsafePointer<streams_value>, _ start: Int, _ end: Int) {
    for index in start..<max(start, end) { UnsafeMutablePointer(mutating: input + index).destroyOwned() }
  }

  private enum Outcome {
    /// There is a new value.
    case made
    /// The value goes on as it is.
    case kept
    case dropped
    case failed(StreamError)
  }

  @inline(__always)
  private func call(
    _ index: Int, _ input: UnsafePointer<streams_value>, _ out: UnsafeMutablePointer<streams_value>
  ) -> Outcome {
    let step = raw + index
    switch step.pointee.function {
    case .map(let function):
      out.initialize(to: streams_value())
      let status = function(step.pointee.context, input, out)
      return status == STREAMS_OK ? accept(out) : .failed(.ofCallback(status))
    case .compactMap(let function):
      out.initialize(to: streams_value())
      let status = function(step.pointee.context, input, out)
      if status != STREAMS_OK { return .failed(.ofCallback(status)) }
      return out.pointee.kind == STREAMS_VALUE_NULL.rawValue ? .dropped : accept(out)
    case .filter(let function):
      var isIncluded = false
      let status = function(step.pointee.context, input, &isIncluded)
      if status != STREAMS_OK { return .failed(.ofCallback(status)) }
      return isIncluded ? .kept : .dropped
    }
  }

  /// Makes a callback's result one that owns its storage.
  @inline(__always)
  private func accept(_ out: UnsafeMutablePointer<streams_value>) -> Outcome {
    if Value.isReady(UnsafePointer(out).asValue) { return .made }
    return adopt(out)
  }

  @inline(never)
  private func adopt(_ out: UnsafeMutablePointer<streams_value>) -> Outcome {
    do {
      out.store(try Value.takingResult(out))
      return .made
    } catch {
      return .failed(error)
    }
  }
}

extension UnsafeMutablePointer where Pointee == streams_value {
  /// Releases what an owned value owns, if anything.
  @inline(__always)
  func destroyOwned() {
    if pointee.owner != nil { _ = take() }
  }
}
