import Glibc
import StreamsShims
import Synchronization
import TestThreads
import Testing

@testable import Streams

@Suite struct GateTests {
  /// Expectations copy what they look into, which a gate does not allow.
  private final class Shared {
    let gate = Gate()

    func enter() -> Gate.Entry { gate.enter() }
    func leave() -> Bool { gate.leave() }
    func signal() -> Bool { gate.markWork() }
    var isOwned: Bool { gate.isOwned }
    /// Who is to wait, and has slept too often, owns nothing yet.
    func promise() {
      gate.word.atomic.pointee.store(UInt32(STREAMS_WORD_PROMISED | STREAMS_WORD_AWAITED), ordering: .relaxed)
    }
    /// Notes, for the owner, that a thread that waits has slept too often.
    func starve() { gate.word.atomic.pointee.bitwiseOr(UInt32(STREAMS_WORD_STARVED), ordering: .relaxed) }
    /// Whether a thread that waits is asleep, or about to be.
    var isAwaited: Bool { gate.word.value & UInt32(STREAMS_WORD_AWAITED) != 0 }
    func wait() -> Gate.Entry { gate.waitForTurn() }
    func releaseToNext() -> Bool { gate.releaseToNext() }
    var hasWork: Bool { gate.hasWork }
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
    race({ #expect(!shared.signal()) })
    #expect(!shared.leave())
    #expect(shared.leave())
    // Nobody is there: who signals must do the work.
    #expect(shared.signal())
    #expect(shared.leave())
  }

  @Test func isHandedOverWithItsWork() {
    let shared = Shared()
    #expect(shared.enter() == .entered)
    #expect(shared.releaseToNext())
    #expect(shared.enter() == .entered)
    race({ #expect(!shared.signal()) })
    #expect(!shared.releaseToNext())
    // Nobody enters but who does the work.
    #expect(!shared.isOwned)
    #expect(shared.enter() == .busy)
    race({
      #expect(shared.signal())
      #expect(!shared.hasWork)
      #expect(!shared.signal())
      #expect(!shared.releaseToNext())
    })
    #expect(shared.wait() == .entered)
    #expect(shared.hasWork)
    #expect(!shared.leave())
    #expect(shared.leave())
  }

  /// Between a thread that leaves for one that has starved, and that one's waking up.
  @Test func isNobodysWhileItIsPromised() {
    let shared = Shared()
    shared.promise()
    #expect(shared.enter() == .busy)
    #expect(!shared.isOwned)
    race({ #expect(!shared.signal()) })
    #expect(shared.enter() == .busy)
  }

  /// Where a thread leaves for one that has starved, and is back before that one is awake.
  @Test func isPromisedToAThreadThatHasSlept() {
    for _ in 0..<200 {
      let shared = Shared()
      let order = Lock<[String]>([])
      #expect(shared.enter() == .entered)
      let other = startThread {
        #expect(shared.wait() == .entered)
        #expect(shared.isOwned)
        order.withLock { $0.append("who has starved") }
        while !shared.leave() { order.withLock { $0.append("the work") } }
      }
      while !shared.isAwaited { sched_yield() }
      shared.starve()
      #expect(shared.leave())
      // What is announced meanwhile is for who waits, unless that one has come and gone.
      let hasGone = shared.signal()
      #expect(hasGone || shared.wait() == .entered)
      order.withLock { $0.append("who has left") }
      while !shared.leave() {}
      pthread_join(other, nil)
      let expected = ["who has starved"] + (hasGone ? [] : ["the work"]) + ["who has left"]
      #expect(order.withLock { $0 } == expected)
    }
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
        if shared.signal() { drain() }
      }
    }
    withExtendedLifetime(shared) { race(rounds: 20_000, announce, announce, announce) }
    #expect(done == 60_000)
  }
}
