import Glibc
import Plan

/// Makes a case that differs smaller, as long as it still differs.
struct Shrinker {
  /// When it has to be small enough. A case that hangs takes its time.
  private let deadline = time(nil) + 10

  static func shrink(_ plan: Case) -> Case {
    let shrinker = Shrinker()
    var best = plan
    while let smaller = shrinker.step(best) { best = smaller }
    return best
  }

  private func step(_ plan: Case) -> Case? {
    for candidate in pipelines(plan) + scripts(plan) where candidate != plan {
      guard time(nil) < deadline else { return nil }
      if Isolation.verdict(on: candidate) == .different { return candidate }
    }
    return nil
  }

  private func pipelines(_ plan: Case) -> [Case] {
    smaller(plan.pipeline).map { Case(pipeline: $0, script: plan.script) }
  }

  /// The pipelines in which one operator is gone, or one source is simpler.
  private func smaller(_ pipeline: Pipeline) -> [Pipeline] {
    var found = pipeline.children
    if case .join(.zip) = pipeline.root, pipeline.children.count > 2 {
      for index in 1..<pipeline.children.count {
        var fewer = pipeline
        fewer.children.remove(at: index)
        found.append(fewer)
      }
    }
    for (index, child) in pipeline.children.enumerated() {
      for less in smaller(child) {
        var changed = pipeline
        changed.children[index] = less
        found.append(changed)
      }
    }
    return found
  }

  private func scripts(_ plan: Case) -> [Case] {
    var found: [Script] = []
    func vary(_ change: (inout Script) -> Void) {
      var script = plan.script
      change(&script)
      if script != plan.script { found.append(script) }
    }
    vary { $0.actions.removeLast($0.actions.count / 2) }
    vary { $0.actions.removeFirst($0.actions.count / 2) }
    for index in plan.script.actions.indices.reversed() { vary { $0.actions.remove(at: index) } }
    for index in plan.script.reactions.indices.reversed() { vary { $0.reactions.remove(at: index) } }
    vary { $0.returned = [.max(0)] }
    vary { $0.initial = .unlimited }
    vary { $0.sinks = false }
    return found.map { Case(pipeline: plan.pipeline, script: $0) }
  }
}
