import StreamsExtras
import StreamsSchedulers
import StreamsTesting
import Testing

@testable import Streams

@Suite struct ThrottlerTests {
  let clock = VirtualTimeScheduler()

  @Test func throttlesToTheLatestOrTheFirst() {
    for (latest, expected) in [(true, [1, 3, 4]), (false, [1, 2, 4])] {
      var log: [Int] = []
      let throttler = Throttler(for: .nanoseconds(10), scheduler: clock, latest: latest)
      for action in 1...3 {
        throttler.execute { log.append(action) }
        clock.advance()
      }
      clock.advance(by: .nanoseconds(10))
      throttler.execute { log.append(4) }
      clock.run()
      #expect(log == expected)
    }
  }

  /// However quick: the scheduler has not come to the first when the others are given.
  @Test func theFirstOfABurstRuns() {
    for (latest, expected) in [(true, ["1 at 0", "3 at 10"]), (false, ["1 at 0", "2 at 10"])] {
      let clock = VirtualTimeScheduler()
      var log: [String] = []
      let throttler = Throttler(for: .nanoseconds(10), scheduler: clock, latest: latest)
      func give(_ actions: ClosedRange<Int>) {
        for action in actions { throttler.execute { log.append("\(action) at \(clock.now.nanoseconds)") } }
      }
      give(1...3)
      clock.advance(by: .nanoseconds(25))
      #expect(log == expected)
      give(4...4)
      clock.advance()
      give(5...6)
      clock.run()
      #expect(log == expected + ["4 at 25", latest ? "6 at 35" : "5 at 35"])
      #expect(clock.pendingCount == 0)
    }
  }

  /// Random actions in time against the words: the first at once, then one in each interval while any wait.
  @Test(arguments: 0..<50) func randomBursts(_ seed: UInt64) {
    var generator = SplitMix(state: seed)
    let latest = Bool.random(using: &generator)
    let clock = VirtualTimeScheduler()
    var (log, expected): ([[Int]], [[Int]]) = ([], [])
    var (due, waiting): (Int, Int?) = (0, nil)
    let throttler = Throttler(for: .nanoseconds(10), scheduler: clock, latest: latest)
    for action in 0..<100 {
      let now = Int(clock.now.nanoseconds)
      throttler.execute { log.append([action, Int(clock.now.nanoseconds)]) }
      if waiting == nil, now >= due {
        expected.append([action, now])
        due = now + 10
      } else if latest || waiting == nil {
        waiting = action
      }
      // None, so that the next comes in the same burst, or some time.
      if Bool.random(using: &generator) { continue }
      let pause = Int.random(in: 0..<25, using: &generator)
      clock.advance(by: .nanoseconds(pause))
      if let last = waiting, now + pause >= due {
        expected.append([last, due])
        (waiting, due) = (nil, due + 10)
      }
    }
    clock.run()
    if let waiting { expected.append([waiting, due]) }
    #expect(log == expected)
  }
}
