import StreamsShims
import Synchronization
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
    /// Who is to wait, and has slept too often, owns nothing yet.
    func promise() { gate.word.atomic.pointee.store(promised, ordering: .relaxed) }
    func wait() -> Gate.Entry { gate.waitForTurn(Gate.currentThread) }
    private var promised: UInt32 { UInt32(STREAMS_WORD_PROMISED | STREAMS_WORD_AWAITED) }
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

  /// Between a thread that leaves for one that has starved, and that one's waking up.
  @Test func isPromisedToAThreadThatWaits() {
    let shared = Shared()
    shared.promise()
    #expect(shared.enter() == .busy)
    #expect(!shared.isOwned)
    race({ #expect(!shared.poke()) })
    #expect(shared.wait() == .entered)
    #expect(shared.isOwned)
    // What was announced meanwhile is for who waited.
    #expect(!shared.leave())
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
