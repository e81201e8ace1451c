import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct ConsistencyTests {
  @Test func aDiamondShowsAChangeOnce() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let source = Property(subject)
    var calls = 0
    let sum = source.map { $0 * 10 }.combineLatest(source.map { -$0 }) {
      calls += 1
      return [$0, $1]
    }
    let log = Log(sum.allValues)
    subject.value = 2
    subject.value = 3
    #expect(log.values == [[10, -1], [20, -2], [30, -3]])
    #expect(calls == 3)
  }

  @Test func pathsOfDifferentLengthsMeet() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let source = Property(subject)
    let long = (0..<10).reduce(source) { property, _ in property.map { $0 + 1 } }
    let log = Log(source.combineLatest(long, source.combineLatest(long, +)) { [$0, $1, $2] }.allValues)
    subject.value = 5
    #expect(log.values == [[0, 10, 10], [5, 15, 20]])
  }

  @Test func pathsMeetThroughAFollowedProperty() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let source = Property(subject)
    let long = source.map { $0 + 1 }.map { $0 + 1 }.map { $0 + 1 }
    let followed = source.map { $0.isMultiple(of: 2) ? source : long }.switchToLatest()
    let log = Log(followed.combineLatest(source) { [$0, $1] }.allValues)
    for value in 1...4 { subject.value = value }
    #expect(log.values == [[0, 0], [4, 1], [2, 2], [6, 3], [4, 4]])
  }

  @Test func changesOfJoinedSourcesAreSeparate() {
    let (a, b) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let (first, second) = (Property(a), Property(b))
    let log = Log(first.combineLatest(second) { [$0, $1] }.allValues)
    // Joined already, and joined once more the other way round.
    let other = second.combineLatest(first) { [$0, $1] }
    a.value = 1
    b.value = 2
    #expect(log.values == [[0, 0], [1, 0], [1, 2]])
    #expect(other.value == [2, 1])
  }

  @Test func joinsMadeInsideAChangeSeeIt() {
    let (a, b) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let (first, second) = (Property(a), Property(b))
    let high = first.map { $0 }.map { $0 }
    var joined: Property<Int>?
    let cancellable = first.subsequentValues.sink { value in
      if joined == nil { joined = second.combineLatest(high, +) }
    }
    a.value = 3
    #expect(joined?.value == 3)
    b.value = 4
    a.value = 5
    #expect(joined?.value == 9)
    cancellable.cancel()
  }

  @Test func aJoinMadeInsideChangesOfBothSourcesFollowsBoth() {
    let (a, b) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let (first, second) = (Property(a), Property(b))
    var joined: Property<[Int]>?
    let inner = second.subsequentValues.sink { _ in
      if joined == nil { joined = first.combineLatest(second) { [$0, $1] } }
    }
    let outer = first.subsequentValues.sink { b.value = $0 * 10 }
    a.value = 1
    #expect(joined?.value == [1, 10])
    a.value = 2
    #expect(joined?.value == [2, 20])
    withExtendedLifetime((inner, outer)) {}
  }

  /// Random graphs against a model that computes everything in the order in which it was made.
  @Test(arguments: 0..<400)
  func randomGraphsAreLikeTheModel(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    let subjects = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      CurrentValueSubject<Int, Never>(Int.random(in: 0..<10, using: &random))
    }
    // What functions derive from sources that do not take turns yet may follow one of them in two steps.
    let isJoined = !seed.isMultiple(of: 4)
    let graph = RandomGraph(
      subjects, joined: isJoined, size: Int.random(in: 1...14, using: &random), random: &random)
    let logs = graph.properties.map { Log($0.allValues) }
    for _ in 0..<20 {
      let index = Int.random(in: 0..<subjects.count, using: &random)
      let value = Int.random(in: 0..<10, using: &random)
      graph.model.change(index, to: value)
      subjects[index].value = value
      #expect(graph.properties.map(\.value) == graph.model.nodes.map(\.value))
    }
    #expect(logs.map(\.values) == graph.model.nodes.map(\.history))
    #expect(!isJoined || graph.calls.wrong.isEmpty)
  }

  /// A change that the function makes while the property is being made is not missed.
  @Test func aFunctionChangesASourceWhileItIsDerived() {
    let (a, b) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(1))
    let (first, second) = (Property(a), Property(b))
    let ways: [(Property<Int>, Property<Int>, @escaping (Int, Int) -> Int) -> Property<Int>] = [
      { first, second, add in first.combineLatest(second, add) },
      { first, second, add in first.flatMap { left in second.map { add(left, $0) } } },
      { first, second, add in first.map { left in second.map { add(left, $0) } }.switchToLatest() },
    ]
    for (number, way) in ways.enumerated() {
      let sum = way(first, second) { left, right in
        if b.value < 10 * (number + 1) { b.value += 1 }
        return left + right
      }
      #expect(b.value == 10 * (number + 1))
      #expect(sum.value == a.value + b.value)
      a.value += 1
      #expect(sum.value == a.value + b.value)
    }
  }
}
