import Streams
import Testing

@testable import StreamsExtras

@Suite struct AmbStateTests {
  @Test func theFirstToSendWins() {
    var state = AmbState(count: 2)
    #expect(state.isOpen)
    let turns = [state.send(1), state.send(0), state.send(1)]
    #expect(turns == [.won, .lost, .goesOn])
    #expect(!state.isOpen && state.winner == 1)
    let ends = [state.end(), state.end()]
    #expect(ends == [true, false])
    let late = state.send(1)
    #expect(late == .lost)
  }

  @Test func demandIsAskedForOnceOfEach() {
    var state = AmbState(count: 3)
    let nobody = state.request(.max(2))
    let first = state.accept(1)
    let one = state.request(.max(3))
    let second = state.accept(0)
    let two = state.request(.max(1))
    #expect([first, second] == [.max(2), .max(5)] && [nobody, one, two] == [[], [1], [0, 1]])
    _ = state.send(0)
    let winner = state.request(.max(1))
    let late = state.accept(2)
    #expect(winner == [0] && late == .max(6))
  }

  @Test func anEndIsFinal() {
    var state = AmbState(count: 1)
    _ = state.end()
    let late = state.send(0)
    #expect(!state.isOpen && late == .lost)
  }
}
