import Testing

@testable import Streams

@Suite struct ReplayBufferTests {
  private func buffer(_ size: Int, _ values: [Int]) -> ReplayBuffer<Int> {
    var buffer = ReplayBuffer<Int>(size: size)
    values.withUnsafeBufferPointer { buffer.append($0) }
    return buffer
  }

  @Test func numbersWhatWasEverAppended() {
    var buffer = buffer(2, [10, 11, 12])
    #expect(buffer.end == 3 && buffer.first == 0)
    let excess = buffer.takeExcess()
    #expect(excess.one == 10 && excess.more.isEmpty)
    #expect(buffer.end == 3 && buffer.first == 1)
    let rest = buffer.takeExcess()
    #expect(rest.one == nil)
  }

  @Test func whoIsBehindGoesOnWithTheFirst() {
    var buffer = buffer(2, [10, 11, 12])
    #expect(buffer.count(from: 0) == 3)
    _ = buffer.takeExcess()
    #expect(buffer.count(from: 0) == 2 && buffer.count(from: 2) == 1 && buffer.count(from: 3) == 0)
    #expect(buffer.value(for: 0) == (11, next: 2))
    #expect(buffer.value(for: 2) == (12, next: 3))
  }

  @Test func takesOutAllThatIsTooMuch() {
    var buffer = buffer(0, [10, 11, 12])
    let excess = buffer.takeExcess()
    #expect(excess.one == 10 && excess.more == [11, 12])
    #expect(buffer.count(from: 0) == 0)
  }
}
