import Testing

/// Chains of operators that pass each value on, at random: whoever acts, and wherever, each subscriber gets each value once
/// and in order.
///
///     FUZZ_EXAMPLES=100000 FUZZ_SEED=5 swift test --filter PassingChainTests
@Suite struct PassingChainTests {
  @Test(.timeLimit(.minutes(60)), arguments: [1, 2])
  func eachSubscriberGetsEachValueOnceAndInOrder(threads: Int) {
    let first = Fuzzing.seed
    for seed in first..<first + UInt64(Fuzzing.examples(or: 5000)) {
      let program = ChainProgram(seed: seed, threads: threads)
      guard var fault = ChainStage(program).fault() else { continue }
      let smallest = program.shrunk { smaller in
        guard let other = ChainStage(smaller).fault() else { return false }
        fault = other
        return true
      }
      Issue.record("\(fault), \(smallest)")
    }
  }
}
