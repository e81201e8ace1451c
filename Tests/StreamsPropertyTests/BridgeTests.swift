import Dispatch
import Streams
import StreamsProperty
import StreamsTesting
import Synchronization
import Testing

/// Properties that come to depend on each other within the turns of both.
@Suite struct BridgeTests {
  private let a = CurrentValueSubject<Int, Never>(0)
  private let b = CurrentValueSubject<Int, Never>(0)

  @Test func aPropertyFollowedAmidItsNotificationIsUpToDateAtTheNext() {
    let (first, second) = (Property(a), Property(b))
    for followed in [
      second.flatMap { $0 == 0 ? second : first }, second.map { $0 == 0 ? second : first }.switchToLatest(),
    ] {
      (a.value, b.value) = (0, 0)
      var seen: [[Int]] = []
      let cancellable = first.allValues.sink { [b] value in
        seen.append([value, followed.value])
        if value == 5 { b.value = 1 }
      }
      let log = Log(followed.subsequentValues)
      for value in [5, 7, 8] { a.value = value }
      #expect(seen == [[0, 0], [5, 0], [7, 7], [8, 8]])
      #expect(log.values == [5, 7, 8])
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func whatIsDerivedWithinTwoTurnsIsUpToDateAtTheNext() {
    let (first, second) = (Property(a), Property(b))
    var sum: Property<Int>?
    var seen: [[Int]] = []
    let cancellables = [
      first.subsequentValues.sink { [b] value in
        if value == 5 { b.value = 1 }
        seen.append([value, sum?.value ?? -1])
      },
      second.subsequentValues.sink { _ in sum = sum ?? first.combineLatest(second, +) },
    ]
    for value in [5, 7, 8] { a.value = value }
    #expect(seen == [[5, 6], [7, 8], [8, 9]])
    b.value = 2
    #expect(sum?.value == 10)
    withExtendedLifetime(cancellables) {}
  }

  @Test func whatIsDerivedFromBothWithinTheirTurnsIsUpToDateAtTheNext() {
    let (first, second) = (Property(a), Property(b))
    var made: Property<[Int]>?
    let cancellables = [
      first.subsequentValues.sink { [b] in if $0 == 5 { b.value = 1 } },
      second.subsequentValues.sink { _ in
        guard made == nil else { return }
        let sum = second.combineLatest(first, +)
        made = sum.combineLatest(first) { [$0, $1] }.combineLatest(first.flatMap { _ in second }) {
          $0 + [$1]
        }
      },
    ]
    a.value = 5
    let log = made.map { Log(second.combineLatest($0) { [$0] + $1 }.subsequentValues) }
    for value in 7...8 { b.value = value }
    a.value = 9
    #expect(log?.values == [[7, 12, 5, 7], [8, 13, 5, 8], [8, 17, 9, 8]])
    withExtendedLifetime(cancellables) {}
  }

  /// Each thread is in one turn, and derives from both.
  @Test func threadsThatDeriveFromEachOthersSourcesAgreeInTheEnd() {
    for _ in 0..<300 {
      nonisolated(unsafe) let sources = (0..<3).map { CurrentValueSubject<Int, Never>($0) }
      let properties = sources.map { Property($0) }
      let sums = Mutex<[Property<Int>]>([])
      let cancellables = properties.indices.map { index in
        properties[index].subsequentValues.sink { _ in
          let sum = properties[index].combineLatest(properties[(index + 1) % 3], +)
          sums.withLock { if $0.count < 6 { $0.append(sum) } }
        }
      }
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        for value in 0..<3 { sources[thread].value = value * 10 }
      }
      cancellables.forEach { $0.cancel() }
      var wrong = 0
      let all = sums.withLock { $0 }
      let totals = all.combineLatest(emptySentinel: 0).map { $0.reduce(0, +) }
      let watch = properties[0].subsequentValues.sink { _ in
        if totals.value != all.reduce(0, { $0 + $1.value }) { wrong += 1 }
        for sum in all where sum.value % 100 != 0 { wrong += 1 }
      }
      for index in sources.indices { sources[index].value = 100 }
      wrong = 0
      for value in 2...4 { sources[0].value = value * 100 }
      #expect(wrong == 0)
      withExtendedLifetime(watch) {}
    }
  }

  @Test func theEndOfAPropertyFollowedAmidItsNotificationIsSeen() {
    for endsWithin in [false, true] {
      let a = CurrentValueSubject<Int, Never>(0)
      let b = CurrentValueSubject<Int, Never>(0)
      let (first, second) = (Property(a), Property(b))
      let followed = second.map { $0 == 0 ? second : first }.switchToLatest()
      let log = Log(followed.allValues)
      let cancellable = first.subsequentValues.sink { value in
        if value != 5 { return }
        b.value = 1
        b.send(completion: .finished)
        if endsWithin { a.send(completion: .finished) }
      }
      a.value = 5
      if !endsWithin {
        a.value = 6
        a.send(completion: .finished)
      }
      #expect(log.values == (endsWithin ? [0, 5] : [0, 5, 6]))
      #expect(log.isFinished)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func aPropertyLetGoOfBeforeTheTurnIsOverLeavesNothing() {
    weak var object: Token?
    do {
      let (first, second) = (Property(a), Property(b))
      let token = Token()
      object = token
      let cancellable = first.subsequentValues.sink { [b] value in
        let cancellable = second.subsequentValues.sink { _ in
          _ = first.combineLatest(second) { [token] in (token, $0 + $1) }
        }
        b.value = value
        withExtendedLifetime(cancellable) {}
      }
      for value in 1...3 { a.value = value }
      withExtendedLifetime(cancellable) {}
    }
    #expect(object == nil)
  }

  /// Whatever subscribers have set and derived before, and wherever: in later changes each of them sees all as defined.
  @Test func whatSubscribersHaveMadeIsConsistentAfterwards() {
    for seed in 0..<2_000 {
      let graph = ReentrantGraph(seed: UInt64(seed))
      graph.changeWithin()
      #expect(graph.changeFromOutside() == [], "seed \(seed)")
    }
  }
}

private final class Token {}

/// Properties of three subjects, each with its definition.
private final class ReentrantGraph {
  private let subjects = (0..<3).map { CurrentValueSubject<Int, Never>($0) }
  private var properties: [(property: Property<Int>, definition: () -> Int)] = []
  private var cancellables: [AnyCancellable] = []
  private var act: () -> Void = {}
  private var wrong: [String] = []
  private var random: SplitMix

  init(seed: UInt64) {
    random = SplitMix(state: seed)
    for subject in subjects { properties.append((Property(subject), { subject.value })) }
    for _ in 0..<3 { derive() }
    for (property, _) in properties { watch(property) }
  }

  private func watch(_ property: Property<Int>) {
    cancellables.append(property.subsequentValues.sink { [unowned self] _ in act() })
  }

  private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private func derive() {
    let (first, second, third) = (pick(), pick(), pick())
    switch below(3) {
    case 0: properties.append((first.property.map { $0 &+ 1 }, { first.definition() &+ 1 }))
    case 1:
      properties.append(
        (first.property.combineLatest(second.property, &+), { first.definition() &+ second.definition() }))
    default:
      let chosen = first.property.map { $0 & 1 == 0 ? second.property : third.property }
      properties.append(
        (chosen.switchToLatest(), { first.definition() & 1 == 0 ? second.definition() : third.definition() }))
    }
  }

  private func pick() -> (property: Property<Int>, definition: () -> Int) {
    properties[below(properties.count)]
  }

  private func set() {
    let (subject, value) = (subjects[below(3)], below(100))
    subject.value = value
  }

  /// Subscribers set subjects, and derive properties, while others are being notified.
  func changeWithin() {
    var actions = 8
    act = { [unowned self] in
      guard actions > 0 else { return }
      actions -= 1
      for _ in 0..<below(3) { derive() }
      if below(3) == 0 { watch(pick().property) }
      set()
    }
    for _ in 0..<3 { set() }
  }

  func changeFromOutside() -> [String] {
    act = { [unowned self] in
      for (index, each) in properties.enumerated() where each.property.value != each.definition() {
        wrong.append("\(index) is \(each.property.value), not \(each.definition())")
      }
    }
    for _ in 0..<10 { set() }
    return wrong
  }
}
