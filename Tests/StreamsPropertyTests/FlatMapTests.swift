import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct FlatMapTests {
  private let outer = CurrentValueSubject<Int, Never>(0)
  private let inners = (0..<3).map { CurrentValueSubject<Int, Never>($0 * 10) }

  @Test func followsAll() {
    let log = Log(Property(outer).flatMap { Property(inners[$0]) }.allValues)
    inners[0].value = 1
    outer.value = 1
    inners[0].value = 2
    inners[1].value = 11
    #expect(log.values == [0, 1, 10, 2, 11])
  }

  @Test func followsTheLatestOnly() {
    let log = Log(Property(outer).map { Property(inners[$0]) }.switchToLatest().allValues)
    inners[0].value = 1
    outer.value = 1
    inners[0].value = 2
    inners[1].value = 11
    #expect(log.values == [0, 1, 10, 11])
  }

  @Test func waitsForItsTurn() {
    let property = Property(outer).flatMap(maxPublishers: .max(1)) { Property(inners[$0]) }
    let log = Log(property.allValues)
    outer.value = 1
    outer.value = 2
    inners[0].value = 1
    #expect(log.values == [0, 1])
    inners[0].send(completion: .finished)
    #expect(log.values == [0, 1, 10])
    inners[1].send(completion: .finished)
    #expect(log.values == [0, 1, 10, 20])
  }

  @Test func noDemandCountsAsOne() {
    #expect(Property(5).flatMap(maxPublishers: .none) { Property($0 + 1) }.value == 6)
  }

  @Test func takesWhatAPropertySentAtOnce() {
    let property = Property(outer).flatMap { Property(initial: $0, then: [$0 + 1, $0 + 2].publisher) }
    let log = Log(property.allValues)
    outer.value = 10
    #expect(log.values == [2, 12])
  }

  @Test(arguments: [true, false])
  func completesWhenAllHave(switches: Bool) {
    let source = Property(outer)
    let property =
      switches
      ? source.map { Property(inners[$0]) }.switchToLatest() : source.flatMap { Property(inners[$0]) }
    let log = Log(property.allValues)
    outer.value = 1
    outer.send(completion: .finished)
    inners[1].send(completion: .finished)
    #expect(log.isFinished == switches)
    inners[0].send(completion: .finished)
    #expect(log.isFinished)
  }

  @Test func theLastValueOfOneThatCompletesIsTaken() {
    let log = Log(
      Property(outer).flatMap { _ in Property(inners[0]).prefix(initialFallback: 0) { $0 < 5 } }.allValues)
    inners[0].value = 4
    inners[0].value = 7
    #expect(log.values == [0, 4])
    outer.value = 1
    #expect(log.values == [0, 4, 0])
  }

  /// Nothing puts it above what it follows any more, when that moves up and is early itself.
  @Test func isLetGoOfWhileItWaits() {
    var kept: [Property<Int>] = []
    let source = Property(outer)
    let long = (0..<10).reduce(source) { property, _ in property.map { $0 + 1 } }
    let inner = source.flatMap { value -> Property<Int> in
      kept = []
      return value == 0 ? Property(0) : long
    }
    kept = [source.map { $0 }.flatMap { _ in inner }]
    outer.value = 1
    #expect(inner.value == 11 && kept.isEmpty)
  }
}
