// Counts what pipelines allocate.
//
//     allocations [--threaded]
//
// Prints for each scenario its name, how many values were counted, how many allocations they took and how many
// blocks they left behind, separated by tabs. With --threaded the process has a second thread, which sleeps: locks
// then need atomic operations.

import AllocationCounter
import Glibc

let counted = 1024

/// Says whether the counter counts: each value is one of its own allocations of every kind.
let counter = Scenario(name: "the counter itself") {
  { values in for _ in 0..<values { add(Int(allocation_counter_allocate_every_way())) } }
}

if CommandLine.arguments.contains("--threaded") {
  var thread = pthread_t()
  let sleep: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
    pause()
    return nil
  }
  guard pthread_create(&thread, nil, sleep, nil) == 0 else { fatalError("no thread") }
}

let all = [
  [counter], stateless, erased, stateful, joins, flattening, subjects, properties, sequences, batches,
  subscriptions,
]
for scenario in all.joined() {
  let count = scenario.count(counted)
  print(scenario.name, counted, count.allocations, count.remaining, separator: "\t")
}
