import Streams
import Testing

@Suite struct RaceTests {
  @Test func runsEveryRoundOfEachBody() {
    let sent = PassthroughSubject<Int, Never>()
    var count = 0
    let cancellable = sent.sink { _ in count += 1 }
    race(rounds: 1000, { sent.send(1) }, { sent.send(2) })
    #expect(count == 2000)
    cancellable.cancel()
  }
}
