import StreamsTesting
import Testing

@Suite struct LifetimeTrackerTests {
  @Test func countsWhatIsAlive() {
    let lifetimes = LifetimeTracker()
    var released: [String] = []
    var first: LifetimeToken? = lifetimes.token { released.append("first") }
    var second: LifetimeToken? = lifetimes.token { released.append("second") }
    var copy = first
    #expect(lifetimes.liveCount == 2)
    first?.keep()
    first = nil
    #expect(lifetimes.liveCount == 2)
    second = nil
    #expect(lifetimes.liveCount == 1)
    copy = nil
    #expect(lifetimes.liveCount == 0)
    #expect(released == ["second", "first"])
    #expect(first == nil && second == nil && copy == nil)
  }

  @Test func aClosureKeepsItsToken() {
    let lifetimes = LifetimeTracker()
    var closure: () -> Void = { [token = lifetimes.token()] in token.keep() }
    closure()
    #expect(lifetimes.liveCount == 1)
    closure = {}
    closure()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func aTokenOutlivesItsTracker() {
    var count = 0
    var token: LifetimeToken? = LifetimeTracker().token { count += 1 }
    token?.keep()
    #expect(count == 0)
    token = nil
    #expect(count == 1)
  }

  @Test func countsOnManyThreads() {
    let lifetimes = LifetimeTracker()
    race(rounds: 1000, { lifetimes.token().keep() }, { lifetimes.token().keep() })
    #expect(lifetimes.liveCount == 0)
  }
}
