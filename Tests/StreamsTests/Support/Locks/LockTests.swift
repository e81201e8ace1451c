import Glibc
import StreamsTesting
import Synchronization
import Testing

@testable import Streams

@Suite struct LockTests {
  final class Shared {
    let lock = Lock(0)
    var work = 0
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

  /// A thread that takes the lock as soon as it has released it is quicker than one that has to wake up.
  @Test(.timeLimit(.minutes(30))) func givesAThreadThatSleepsItsTurn() {
    let shared = Shared()
    let isDone = Atomic(false)
    let limit = 5000
    var turns = 0
    race(
      {
        while !isDone.load(ordering: .relaxed) && turns < limit {
          shared.lock.withLock { _ in _ = usleep(200) }
          turns += 1
        }
      },
      {
        for _ in 0..<20 { shared.lock.withLock { $0 += 1 } }
        isDone.store(true, ordering: .relaxed)
      })
    #expect(turns < limit)
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
