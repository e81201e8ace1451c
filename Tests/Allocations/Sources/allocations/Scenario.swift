import AllocationCounter

/// A pipeline whose allocations are counted.
struct Scenario {
  let name: String
  /// Builds the pipeline. What it returns sends as many values as it is told.
  let build: () -> (Int) -> Void

  /// What the running of a pipeline allocated, and what it left behind when it was gone.
  struct Count {
    var allocations: Int
    var remaining: Int
  }

  /// Counts for `values` more values. What happens once, however many values are sent, is in neither number.
  func count(_ values: Int) -> Count {
    // Types are looked up the first time only, and what has room for many values keeps it.
    _ = run(values)
    let (less, more) = (run(values), run(2 * values))
    return Count(allocations: more.allocations - less.allocations, remaining: more.remaining - less.remaining)
  }

  private func run(_ values: Int) -> Count {
    let before = allocation_counts_now()
    var allocations = 0
    do {
      let send = build()
      let start = allocation_counts_now()
      send(values)
      allocations = Int(allocation_counts_now().allocated - start.allocated)
    }
    let after = allocation_counts_now()
    let remaining = (after.allocated - before.allocated) - (after.freed - before.freed)
    return Count(allocations: allocations, remaining: Int(remaining))
  }
}

/// What sinks add to, so that no work is dead.
nonisolated(unsafe) var total = 0

func add(_ value: Int) { total &+= value }
