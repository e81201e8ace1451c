import Glibc
import Testing

@testable import Streams

@Suite struct SerializerChangesTests {
  private final class Turn: @unchecked Sendable {
    private let serializer = Serializer()

    func run(_ signal: @escaping () -> Void) { serializer.run(signal) }
    func change() -> Serializer.Change? { serializer.change { $0 } }
    var isEntered: Bool { serializer.isEntered }
    var isAwaited: Bool { serializer.gate.isAwaited }
  }

  private final class Word: @unchecked Sendable {
    private let word = OwnerWord()

    func whileAwaited(_ body: () -> Void) { word.whileAwaited(body) }

    func own(_ body: () -> Void) {
      _ = word.take(OwnerWord.currentThread)
      body()
      _ = word.release()
    }
  }

  @Test func aChangeIsMadeInTurn() {
    let turn = Turn()
    #expect(turn.change() == .inTurn)
    turn.run { #expect(turn.change() == .inTurn) }
    #expect(!turn.isEntered)
  }

  @Test func aChangeIsMadeWhereTheOwnerSleepsUntilThisThreadGoesOn() {
    let (turn, own, meeting) = (Turn(), Turn(), Meeting())
    race(
      {
        turn.run {
          meeting.wait()
          own.run {}
        }
      },
      {
        own.run {
          meeting.wait()
          while !own.isAwaited { sched_yield() }
          #expect(turn.change() == .outOfTurn)
        }
      })
  }

  /// It may read what would be changed.
  @Test func noChangeIsMadeWhereTheOwnerIsOnlyAboutToSleep() {
    let (turn, word, begins, ends) = (Turn(), Word(), Meeting(), Meeting())
    race(
      {
        turn.run {
          word.whileAwaited {
            begins.wait()
            ends.wait()
          }
        }
      },
      {
        begins.wait()
        word.own { #expect(turn.change() == nil) }
        ends.wait()
      })
  }
}
