import Testing

@testable import Streams

@Suite struct GateTests {
  /// Expectations copy what they look into, which a gate does not allow.
  private final class Shared {
    let gate = Gate()

    func enter() -> Gate.Entry { gate.enter() }
    func leave() -> Bool { gate.leave() }
    func poke() -> Bool { gate.poke() }
    var isOwned: Bool { gate.isOwned }
  }

  @Test func isNestedOnItsOwnThread() {
    let shared = Shared()
    #expect(shared.enter() == .entered)
    #expect(shared.enter() == .nested)
    #expect(shared.isOwned)
    race({ #expect(shared.enter() == .busy) }, { #expect(!shared.isOwned) })
    #expect(shared.leave())
    #expect(!shared.isOwned)
  }

  @Test func isNotLeftWhileThereIsWork() {
    let shared = Shared()
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
    let shared = Shared()
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
