import Streams
import Testing

@testable import StreamsExtras

/// What is recorded of it is in `streams_live_streams`, which the tests of C and Python read.
@Suite struct WatchedPublisherTests {
  @Test func eachHasANumberOfItsOwn() {
    let first = WatchedPublisher("first", of: [], isForDrops: false)
    let second = WatchedPublisher("", of: [first.number, 0], isForDrops: true)
    #expect(first.number > 0)
    #expect(second.number > first.number)
    #expect(!first.isForDrops && second.isForDrops)
  }

  @Test func unlimitedDemandIsTheLargestCount() {
    let demands: [Subscribers.Demand] = [.none, .max(3), .max(.max - 1), .unlimited]
    #expect(demands.map(\.watched) == [0, 3, .max - 1, .max])
  }
}
