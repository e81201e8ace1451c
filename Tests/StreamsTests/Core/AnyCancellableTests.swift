import Streams
import StreamsTesting
import Testing

@Suite struct AnyCancellableTests {
  @Test func cancelsOnceWhenTold() {
    var count = 0
    let cancellable = AnyCancellable { count += 1 }
    #expect(count == 0)
    cancellable.cancel()
    cancellable.cancel()
    #expect(count == 1)
  }

  @Test func cancelsAtTheEndOfItsLife() {
    var count = 0
    do { _ = AnyCancellable { count += 1 } }
    #expect(count == 1)
    let subscription = TestSubscription()
    do {
      let cancellable = AnyCancellable(subscription)
      cancellable.cancel()
    }
    #expect(subscription.ledger.cancelCount == 1)
  }

  @Test func cancelsThroughAnother() {
    let subscription = TestSubscription()
    let inner = AnyCancellable(subscription)
    let outer = AnyCancellable(inner)
    outer.cancel()
    inner.cancel()
    #expect(subscription.ledger.cancelCount == 1)
  }

  @Test func releasesWhatItHasCancelled() {
    let lifetimes = LifetimeTracker()
    let cancellable = AnyCancellable { [token = lifetimes.token()] in token.keep() }
    #expect(lifetimes.liveCount == 1)
    cancellable.cancel()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func mayBeCancelledFromWithin() {
    var cancellable: AnyCancellable?
    var count = 0
    cancellable = AnyCancellable {
      count += 1
      cancellable?.cancel()
    }
    cancellable?.cancel()
    #expect(count == 1)
  }

  @Test func isStoredInCollections() {
    var list: [AnyCancellable] = []
    var set: Set<AnyCancellable> = []
    let first = AnyCancellable {}
    first.store(in: &list)
    first.store(in: &set)
    first.store(in: &set)
    #expect(list == [first])
    #expect(set == [first])
  }

  @Test func isCancelledOnceByManyThreads() {
    for _ in 0..<200 {
      let subscription = TestSubscription()
      let cancellable = AnyCancellable(subscription)
      race({ cancellable.cancel() }, { cancellable.cancel() }, { cancellable.cancel() })
      #expect(subscription.ledger.cancelCount == 1)
    }
  }
}
