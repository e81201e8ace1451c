import OpenCombineSide
import Plan
import StreamsSide

enum Library: String, CaseIterable {
  case streams = "Streams"
  case openCombine = "OpenCombine"

  func run(_ plan: Case, _ options: RunOptions, trace: Trace) {
    switch self {
    case .streams: StreamsSide.run(plan, options, trace: trace)
    case .openCombine: OpenCombineSide.run(plan, options, trace: trace)
    }
  }
}

/// Runs a case against a library and returns its trace.
typealias Runner = (Library, Case, RunOptions) -> [String]

/// Runs a case here. A trap in a library ends the process.
func runHere(_ library: Library, _ plan: Case, _ options: RunOptions) -> [String] {
  let trace = Trace()
  library.run(plan, options, trace: trace)
  return trace.lines
}

/// What both libraries did with a case.
struct Comparison {
  enum Verdict: Equatable {
    case same
    /// The difference is one that is meant to be, by the exclusion with this index.
    case excluded(Int)
    case different
  }

  let plan: Case
  let verdict: Verdict
  /// If they differ: with taps, unless they differ only without.
  let streams: [String]
  let openCombine: [String]

  init(_ plan: Case, by run: Runner) {
    self.plan = plan
    let ours = run(.streams, plan, RunOptions())
    let theirs = run(.openCombine, plan, RunOptions())
    let untapped = ours == theirs ? Nearest(trace: ours) : Nearest(to: ours, plan, RunOptions(), run)
    if ours == untapped.trace {
      (streams, openCombine, verdict) = (ours, ours, .same)
      return
    }
    // What the taps write down tells which operator it is that differs.
    let options = RunOptions(taps: true)
    let tapped = run(.streams, plan, options)
    let other = Nearest(to: tapped, plan, options, run).trace
    (streams, openCombine) = tapped == other ? (ours, untapped.trace) : (tapped, other)
    let difference = Difference(
      plan: plan, goesWithTaps: tapped == other, streams: streams, openCombine: openCombine)
    let isOrder = tapped == other && untapped.varies
    let index = isOrder ? 0 : exclusions.firstIndex { $0.covers(difference) }
    verdict = index.map(Verdict.excluded) ?? .different
  }

  /// Both traces side by side, the first difference marked.
  var report: String {
    let width = min(max(40, streams.map(\.count).max() ?? 0), 78)
    func pad(_ text: String) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
    var rows = ["  " + pad("Streams") + " | OpenCombine"]
    for index in 0..<max(streams.count, openCombine.count) {
      let ours = index < streams.count ? streams[index] : "(nothing)"
      let theirs = index < openCombine.count ? openCombine[index] : "(nothing)"
      rows.append((ours == theirs ? "  " : "* ") + pad(ours) + " | " + theirs)
    }
    return rows.joined(separator: "\n")
  }
}

/// OpenCombine's trace, as near to another trace as it comes.
///
/// OpenCombine serves the subscribers of a subject, and cancels the publishers of a `flatMap`, in the order of a hash
/// table. It may take some runs until this order is that of Streams.
private struct Nearest {
  var trace: [String]
  /// Whether OpenCombine did not do the same every time.
  var varies = false

  private static let attempts = 16

  init(trace: [String]) { self.trace = trace }

  init(to trace: [String], _ plan: Case, _ options: RunOptions, _ run: Runner) {
    self.trace = []
    var length = -1
    for attempt in 0..<Self.attempts {
      var options = options
      options.disturbance = attempt
      let other = run(.openCombine, plan, options)
      if attempt > 0, other != self.trace { varies = true }
      let common = zip(trace, other).prefix { $0 == $1 }.count
      if common > length { (self.trace, length) = (other, common) }
      if other == trace || other.last == "hung" { break }
    }
  }
}
