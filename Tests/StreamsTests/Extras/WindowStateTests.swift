import Testing

@testable import StreamsExtras

@Suite struct WindowStateTests {
  typealias Run = WindowState.Run

  private func runs(_ count: Int, _ skip: Int, _ batches: [Int]) -> [Run] {
    var state = WindowState(count: count, skip: skip)
    var runs: [Run] = []
    for batch in batches {
      var left = batch
      while left > 0 {
        runs.append(state.next(left))
        left -= runs.last!.count
      }
    }
    return runs
  }

  @Test func oneAfterAnother() {
    let (first, last) = (Run(count: 1, opens: true), Run(count: 2, closes: true))
    #expect(runs(3, 3, [7]) == [first, last, first, last, first])
    #expect(runs(3, 3, [1, 1, 1]) == [first, Run(count: 1), Run(count: 1, closes: true)])
  }

  @Test func ofOneValueEach() {
    let single = Run(count: 1, opens: true, closes: true)
    #expect(runs(1, 1, [2]) == [single, single])
  }

  @Test func withGaps() {
    let single = Run(count: 1, opens: true)
    #expect(
      runs(2, 5, [12]) == [
        single, Run(count: 1, closes: true), Run(count: 3), single, Run(count: 1, closes: true),
        Run(count: 3),
        single, Run(count: 1, closes: true),
      ])
  }

  @Test func overlapping() {
    #expect(
      runs(3, 2, [6]) == [
        Run(count: 1, opens: true), Run(count: 1), Run(count: 1, opens: true, closes: true), Run(count: 1),
        Run(count: 1, opens: true, closes: true), Run(count: 1),
      ])
  }

  @Test func emptyOnesTrap() async {
    await #expect(processExitsWith: .failure) { _ = WindowState(count: 0, skip: 1) }
    await #expect(processExitsWith: .failure) { _ = WindowState(count: 1, skip: 0) }
  }
}
