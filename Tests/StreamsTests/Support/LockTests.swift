import StreamsTesting
import Testing

@testable import Streams

@Suite struct LockTests {
  final class Shared {
    let lock = Lock(0)
    let gate = Gate()
    let demand = DemandCounter()
    var work = 0

    // Expectations copy what they look into, which a gate and a counter do not allow.
    func enter() -> Gate.Entry { gate.enter() }
    func leave() -> Bool { gate.leave() }
    func poke() -> Bool { gate.poke() }
    var isOwned: Bool { gate.isOwned }
    func take(upTo count: Int) -> Int { demand.take(upTo: count) }
    func add(_ more: Subscribers.Demand) -> Subscribers.Demand { demand.add(more) }
    var currentDemand: Subscribers.Demand { demand.current }
  }

  @Test func countsUnderContention() {
    let shared = Shared()
    func add() { shared.lock.withLock { $0 += 1 } }
    race(rounds: 20_000, add, add, add, add)
    #expect(shared.lock.withLock { $0 } == 80_000)
  }

  /// The lock is held for so long that the others must sleep.
  @Test func wakesThreadsThatSleep() {
    let shared = Shared()
    func addSlowly() {
      shared.lock.withLock { value in
        let old = value
        for _ in 0..<2000 { shared.work &+= 1 }
        value = old + 1
      }
    }
    race(rounds: 300, addSlowly, addSlowly, addSlowly)
    #expect(shared.lock.withLock { $0 } == 900)
    #expect(shared.work == 900 * 2000)
  }

  @Test func isFreeAfterAnError() {
    let shared = Shared()
    #expect(throws: TestFailure.self) { try shared.lock.withLock { _ in throw TestFailure() } }
    #expect(shared.lock.withLock { $0 } == 0)
  }

  @Test func trapsWhenTakenTwice() async {
    await #expect(processExitsWith: .failure) {
      let shared = Shared()
      shared.lock.withLock { _ in shared.lock.withLock { _ in } }
    }
    // A second thread takes another path.
    await #expect(processExitsWith: .failure) {
      let shared = Shared()
      race({ shared.lock.withLock { _ in shared.lock.withLock { _ in } } }, {})
    }
  }
}

@Suite struct GateTests {
  @Test func isNestedOnItsOwnThread() {
    let shared = LockTests.Shared()
    #expect(shared.enter() == .entered)
    #expect(shared.enter() == .nested)
    #expect(shared.isOwned)
    race({ #expect(shared.enter() == .busy) }, { #expect(!shared.isOwned) })
    #expect(shared.leave())
    #expect(!shared.isOwned)
  }

  @Test func isNotLeftWhileThereIsWork() {
    let shared = LockTests.Shared()
    #expect(shared.enter() == .entered)
    race({ #expect(!shared.poke()) })
    #expect(!shared.leave())
    #expect(shared.leave())
    // Nobody is there: who pokes must do the work.
    #expect(shared.poke())
    #expect(shared.leave())
  }

  /// Every piece of work that is announced is done, by one thread at a time.
  @Test func losesNoWork() {
    let shared = LockTests.Shared()
    let announced = Lock(0)
    var done = 0
    func drain() {
      repeat {
        let count = announced.withLock { count in
          defer { count = 0 }
          return count
        }
        done += count
      } while !shared.leave()
    }
    func announce() {
      if shared.enter() == .entered {
        done += 1
        if !shared.leave() { drain() }
      } else {
        announced.withLock { $0 += 1 }
        if shared.poke() { drain() }
      }
    }
    withExtendedLifetime(shared) { race(rounds: 20_000, announce, announce, announce) }
    #expect(done == 60_000)
  }
}

@Suite struct DemandCounterTests {
  @Test func takesWhatThereIs() {
    let shared = LockTests.Shared()
    #expect(shared.take(upTo: 3) == 0)
    #expect(shared.add(.max(2)) == .none)
    #expect(shared.take(upTo: 3) == 2)
    #expect(shared.add(.unlimited) == .none)
    #expect(shared.add(.max(1)) == .unlimited)
    #expect(shared.take(upTo: 3) == 3)
    #expect(shared.currentDemand == .unlimited)
  }

  @Test func countsUnderContention() {
    let shared = LockTests.Shared()
    var taken = 0
    race(
      rounds: 20_000, { _ = shared.add(.max(1)) }, { _ = shared.add(.max(2)) },
      { taken += shared.take(upTo: 5) })
    #expect(shared.currentDemand == .max(60_000 - taken))
  }
}
