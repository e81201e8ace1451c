import ArgumentParser
import Foundation
import Glibc
import Plan

@main
struct Differential: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs random pipelines against Streams and OpenCombine and compares what happens.")

  @Option(help: "The seed of the first pipeline. (default: a new one)")
  var seed: UInt64?

  @Option(help: "How many pipelines to run.")
  var count = 10_000

  @Option(help: "Run for so long, however many pipelines that makes.")
  var seconds: Int?

  @Option(help: "Only pipelines with this operator, as in a report.")
  var only: String?

  @Option(help: "How many processes run pipelines.")
  var jobs = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  @Option(help: "How many differences to report in full.")
  var reports = 3

  @Flag(help: "Print the pipeline of the seed and both traces, whether they differ or not.")
  var show = false

  @Flag(help: "List the seeds of all differences and of all traps.")
  var list = false

  @Flag(help: "Run the small cases that show what exclusions are about, and nothing else.")
  var shown = false

  @Option(help: "Write the counts there, as JSON.")
  var summary: String?

  mutating func run() throws {
    if shown { return try runShown() }
    let seed = seed ?? UInt64.random(in: 1...999_999_999_999)
    if show { return show(Generator.makeCase(seed: seed)) }
    print("seed \(seed)")
    let campaign = Campaign(
      seed: seed, count: seconds == nil ? count : .max, deadline: seconds.map { time(nil) + $0 },
      jobs: jobs, only: only)
    let totals = campaign.run()
    for seed in totals.different.prefix(reports) { report(seed) }
    if list {
      print("different:", totals.different.sorted().map(String.init).joined(separator: " "))
      print("trapped:", totals.stuck.sorted().map(String.init).joined(separator: " "))
    }
    print(text(of: totals))
    if let summary { try write(totals, to: summary) }
    if !totals.different.isEmpty || totals.compared == 0 { throw ExitCode.failure }
  }

  private func show(_ plan: Case) {
    print(plan.pipeline, plan.script, Comparison(plan, by: Isolation.run).report, separator: "\n")
  }

  /// Each exclusion covers the case that shows it, and none before it does.
  private func runShown() throws {
    var areAllCovered = true
    for (index, exclusion) in exclusions.enumerated() {
      let comparison = Comparison(exclusion.shownBy, by: Isolation.run)
      let isCovered = comparison.verdict == .excluded(index)
      print(isCovered ? "shown:" : "not shown:", exclusion.name)
      if !isCovered { show(exclusion.shownBy) }
      areAllCovered = areAllCovered && isCovered
    }
    if !areAllCovered { throw ExitCode.failure }
  }

  private func report(_ seed: UInt64) {
    print("\n==== different: --seed \(seed) --count 1")
    print(Generator.makeCase(seed: seed).pipeline)
    print("---- at its smallest")
    show(Shrinker.shrink(Generator.makeCase(seed: seed)))
  }

  private func write(_ totals: Campaign.Totals, to file: String) throws {
    let excluded = totals.excluded.reduce(0, +)
    let counts: [String: Any] = [
      "same": totals.compared - excluded - totals.different.count, "excluded": excluded,
      "different": totals.different.sorted(),
    ]
    try JSONSerialization.data(withJSONObject: counts).write(to: URL(fileURLWithPath: file))
  }

  private func text(of totals: Campaign.Totals) -> String {
    let excluded = totals.excluded.reduce(0, +)
    var lines = ["", "\(totals.compared) pipelines compared; \(totals.stuck.count) trapped"]
    for (exclusion, count) in zip(exclusions, totals.excluded) where count > 0 {
      lines.append("\(count) excluded because \(exclusion.name)")
    }
    lines.append("\(totals.compared - excluded - totals.different.count) same")
    lines.append("\(excluded) excluded")
    lines.append("\(totals.different.count) different")
    return lines.joined(separator: "\n")
  }
}
