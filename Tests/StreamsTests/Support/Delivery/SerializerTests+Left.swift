import Glibc
import StreamsShims
import StreamsTesting
import Synchronization
import TestThreads
import Testing

@testable import Streams

/// Signals that are left to the thread at work.
extension SerializerTests {
  @Test func submittedSignalsWaitForTheOneThatIsRunning() {
    shared.serializer.enqueue { [shared] in shared.log.append("at once") }
    shared.run { [shared] in
      shared.serializer.enqueue {
        shared.log.append("later")
        shared.serializer.enqueue { shared.log.append("last") }
      }
      shared.log.append("now")
    }
    #expect(shared.log == ["at once", "now", "later", "last"])
  }

  /// A thread that sends by way of another is answered in order.
  @Test func whatAThreadHasLeftComesBeforeWhatItSendsNext() {
    let lifetimes = LifetimeTracker()
    shared.run { [shared] in
      byWayOfAnother(
        {
          for number in 1...2 {
            shared.run { [token = lifetimes.token()] in
              token.keep()
              shared.log.append("left \(number)")
              shared.run { shared.log.append("from within \(number)") }
            }
          }
        }, then: { shared.run { shared.log.append("next") } })
      #expect(lifetimes.liveCount == 2)
      shared.log.append("end")
    }
    #expect(shared.log == ["left 1", "left 2", "next", "end", "from within 1", "from within 2"])
    #expect(lifetimes.liveCount == 0)
  }

  /// What is sent amid a signal that was left comes after what was left before it was sent.
  @Test func whatIsSentAmidWhatWasLeftComesAfterWhatWasLeftBefore() {
    let shared = shared
    cross(
      { meet in shared.run(meet) },
      {
        for number in 1...2 {
          shared.run {
            shared.log.append("left \(number)")
            shared.run { shared.log.append("amid \(number)") }
          }
        }
      })
    #expect(shared.log == ["left 1", "left 2", "amid 1", "amid 2"])
  }

  /// A nested signal comes after what any thread has left before.
  @Test func whatOthersHaveLeftComesBeforeANestedSignal() {
    let shared = shared
    cross(
      { meet in
        shared.run {
          meet()
          shared.run { shared.log.append("next") }
          shared.log.append("end")
        }
      }, { shared.run { shared.log.append("left") } })
    #expect(shared.log == ["left", "next", "end"])
  }

  /// However many were left, and whatever each of them sends, the stack does not grow.
  @Test func signalsThatWereLeftAreNotNestedInEachOther() {
    let shared = shared
    var (depth, deepest) = (0, 0)
    func send(_ number: Int) {
      shared.run {
        depth += 1
        deepest = max(deepest, depth)
        shared.log.append("\(number)")
        if number < 1_000 { send(1_000 + number) }
        depth -= 1
      }
    }
    cross({ meet in shared.run(meet) }, { for number in 0..<1_000 { send(number) } })
    let isInOrder = shared.log == (0..<2_000).map { "\($0)" }
    #expect(isInOrder)
    #expect(deepest == 2)
  }
}
