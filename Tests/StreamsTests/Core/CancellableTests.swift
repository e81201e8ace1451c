import Streams
import StreamsTesting
import Testing

@Suite struct CancellableTests {
  /// What is not an `AnyCancellable` by type is wrapped when it is stored.
  @Test func isWrappedWhenItIsStored() {
    let subscriptions = [TestSubscription(), TestSubscription()]
    var list: [AnyCancellable] = []
    var set: Set<AnyCancellable> = []
    subscriptions[0].store(in: &list)
    subscriptions[1].store(in: &set)
    #expect(list.count == 1 && set.count == 1)
    #expect(subscriptions.map(\.ledger.cancelCount) == [0, 0])
    list = []
    #expect(subscriptions.map(\.ledger.cancelCount) == [1, 0])
    set.first?.cancel()
    set = []
    #expect(subscriptions.map(\.ledger.cancelCount) == [1, 1])
  }

  @Test func anAnyCancellableOfUnknownTypeIsWrappedToo() {
    let cancellable = AnyCancellable {}
    let erased: any Cancellable = cancellable
    var list: [AnyCancellable] = []
    erased.store(in: &list)
    #expect(list.count == 1 && list[0] != cancellable)
  }
}
