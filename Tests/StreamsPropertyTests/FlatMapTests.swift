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

/// What is followed is made in a function while a source of it is stale, or was made for a value that is no more.
@Suite struct DynamicTests {
  @Test func aTransformIsCalledOnceForEachChange() {
    let (subject, other) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(-1))
    let source = Property(subject)
    let long = source.map { $0 }.map { $0 }.map { $0 }
    var calls: [Int] = []
    let followed = source.flatMap(maxPublishers: .max(2)) { value -> Property<Int> in
      calls.append(value)
      return value == 0 ? Property(other) : value == 1 ? long.map { $0 * 10 + value } : Property(1000 + value)
    }
    let log = Log(followed.allValues)
    subject.value = 1
    subject.value = 2
    #expect(calls == [0, 1])
    other.send(completion: .finished)
    #expect(calls == [0, 1, 2])
    #expect(log.values == [-1, 11, 21, 1002])
  }

  @Test(arguments: [false, true])
  func anIndexIsThatOfTheItems(switchesInside: Bool) {
    let subject = CurrentValueSubject<(items: [String], index: Int), Never>((["a", "b", "c"], 2))
    let source = Property(subject)
    let long = source.map(\.index).map { $0 }.map { $0 }
    let items = switchesInside ? source.map(\.items) : source.map(\.items).map { $0 }.map { $0 }.map { $0 }
    let index = switchesInside ? long : source.map(\.index)
    let log = Log(items.map { items in index.map { items[$0] } }.switchToLatest().allValues)
    subject.value = (["x"], 0)
    subject.value = (["d", "e"], 1)
    #expect(log.values == ["c", "x", "e"])
  }

  /// A combination holds what is made until it is computed again itself.
  @Test func whatIsMadeIsHeldByAnother() {
    let subject = CurrentValueSubject<(items: [Int], index: Int), Never>(([1, 2], 1))
    let source = Property(subject)
    let made = source.map(\.items).map { items in source.map(\.index).map { items[$0] } }
    let held = made.combineLatest(source.map { $0 }.map { $0 }.map { $0 }.map { $0 })
    let log = Log(made.switchToLatest().allValues)
    subject.value = ([7], 0)
    subject.value = ([8, 9], 1)
    #expect(log.values == [2, 7, 9])
    #expect(held.value.0.value == 9)
  }

  @Test(arguments: [1_000, 4_000])
  func longChainsAreMadeAgainAndAgain(count: Int) {
    let subject = CurrentValueSubject<Int, Never>(0)
    let source = Property(subject)
    let log = Log(
      source.map { value in (0..<count).reduce(source) { chain, _ in chain.map { $0 } } }.switchToLatest()
        .allValues)
    subject.value = 1
    subject.value = 2
    #expect(log.values == [0, 1, 2])
  }
}
