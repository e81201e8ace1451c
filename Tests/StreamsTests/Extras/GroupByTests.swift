import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

@Suite struct GroupByTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Group = GroupedPublisher<Bool, Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  /// Groups of even and odd numbers, each with a recorder.
  private final class Rig {
    let source = Source()
    let outer: RecordingSubscriber<Group, TestFailure>
    var groups: [Bool: Recorder] = [:]

    init(
      demand: Subscribers.Demand = .unlimited, inner: Subscribers.Demand = .unlimited,
      prefetch: Subscribers.Demand = .max(256), subscribes: Bool = true
    ) {
      outer = RecordingSubscriber(initialDemand: demand)
      outer.onValue = { [unowned self] group in
        let recorder = Recorder(initialDemand: inner)
        groups[group.key] = recorder
        if subscribes { group.subscribe(recorder) }
        return .none
      }
      source.groupBy(prefetch: prefetch) { $0.isMultiple(of: 2) }.subscribe(outer)
    }

    var even: Recorder { groups[true]! }
    var odd: Recorder { groups[false]! }
  }

  // MARK: Values and demand

  @Test func sendsAGroupForEachKeyWithItsValues() {
    let rig = Rig()
    rig.source.send(1)
    rig.source.send(batch: [2, 3, 4])
    #expect(rig.outer.values.map(\.key) == [false, true])
    #expect(rig.odd.values == [1, 3] && rig.even.values == [2, 4])
    #expect(rig.odd.events.first == .subscription("GroupBy"))
  }

  @Test func aKeyThatThrowsFailsTheStreamAndItsGroups() {
    let source = Source()
    var events: [String] = []
    let cancellable = TryGroupBy(upstream: source, prefetch: nil) { value, known throws(TestFailure) in
      events.append("key of \(value)")
      if value == 3 { throw TestFailure() }
      return known.find(0, hash: 0, by: ==).number
    }
    .flatMap { group in group.handleEvents(receiveCompletion: { events.append("group: \($0)") }) }
    .sink(receiveCompletion: { events.append("\($0)") }, receiveValue: { events.append("\($0)") })
    source.send(batch: [1, 2, 3, 4])
    #expect(source.ledger.isCancelled)
    #expect(
      events == [
        "key of 1", "1", "key of 2", "2", "key of 3", "group: failure(failure)", "failure(failure)",
      ])
    cancellable.cancel()
  }

  @Test func noKeyIsAskedForAfterTheEnd() {
    let subject = PassthroughSubject<Int, TestFailure>()
    var keys: [Int] = []
    let cancellable = TryGroupBy(upstream: subject, prefetch: nil) { value, known throws(TestFailure) in
      keys.append(value)
      return known.find(value, hash: value, by: ==).number
    }
    .prefix(1).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    [1, 2, 3].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(keys == [1])
    cancellable.cancel()
  }

  @Test func asksForOneMoreForEachValueThatIsDelivered() {
    let rig = Rig(inner: .max(1), prefetch: .max(3))
    #expect(rig.source.ledger.requests == [.max(3)])
    [1, 3, 5].forEach { rig.source.send($0) }
    #expect(rig.source.ledger.outstanding == .max(1))
    rig.source.send(2)
    #expect(rig.source.ledger.outstanding == .max(1))
    rig.source.send(4)
    #expect(rig.source.ledger.outstanding == .none)
    rig.odd.request(.max(1))
    rig.odd.request(.max(1))
    #expect(rig.odd.values == [1, 3, 5])
    #expect(rig.source.ledger.outstanding == .max(2))
    rig.even.request(.unlimited)
    #expect(rig.even.values == [2, 4])
    #expect(rig.source.ledger.outstanding == .max(3))
  }

  @Test func anUnlimitedPrefetchIsOneRequest() {
    let rig = Rig(inner: .none, prefetch: .unlimited)
    (0..<1000).forEach { rig.source.send($0) }
    rig.even.request(.unlimited)
    #expect(rig.even.values.count == 500)
    #expect(rig.source.ledger.requests == [.unlimited])
  }

  @Test func groupsWaitForDemand() {
    let rig = Rig(demand: .max(1))
    rig.source.send(batch: [1, 2, 3, 4])
    #expect(rig.outer.values.map(\.key) == [false] && rig.odd.values == [1, 3])
    rig.outer.request(.max(1))
    #expect(rig.even.values == [2, 4])
  }

  @Test func aGroupIsForOneSubscriber() {
    let rig = Rig()
    rig.source.send(1)
    let another = Recorder()
    rig.outer.values[0].subscribe(another)
    rig.source.send(3)
    #expect(another.values.isEmpty && another.completions == [.finished])
    #expect(rig.odd.values == [1, 3])
  }

  @Test func demandReturnedForAValueCounts() {
    let rig = Rig(demand: .unlimited, inner: .max(1), subscribes: false)
    rig.source.send(batch: [1, 3, 5])
    let recorder = Recorder(initialDemand: .max(1)) { $0 == 1 ? .max(1) : .none }
    rig.outer.values[0].subscribe(recorder)
    #expect(recorder.values == [1, 3])
  }

  @Test func flattenedItIsThePublisher() {
    let recorder = RecordingSubscriber<Int, Never>()
    (0..<10_000).publisher.groupBy { $0 % 100 }.flatMap { $0 }.subscribe(recorder)
    #expect(recorder.values == Array(0..<10_000))
    #expect(recorder.completions == [.finished])
  }

  @Test func aSubscriberPerKeyOfTenThousand() {
    let recorder = RecordingSubscriber<[Int], Never>()
    (0..<20_000).publisher.groupBy { $0 % 10_000 }.flatMap { $0.collect() }.subscribe(recorder)
    #expect(recorder.values.count == 10_000)
    #expect(recorder.values.allSatisfy { $0.count == 2 && $0[1] - $0[0] == 10_000 })
  }

  /// One group after the other waits for all of the first.
  @Test func oneAfterAnotherNeedsRoomForTheOthers() {
    for (prefetch, expected) in [(Subscribers.Demand.unlimited, 100), (.max(50), 100), (.max(49), 49)] {
      let recorder = RecordingSubscriber<Int, Never>()
      (0..<100).publisher.groupBy(prefetch: prefetch) { $0 % 2 }.flatMap(maxPublishers: .max(1)) { $0 }
        .subscribe(recorder)
      #expect(recorder.values.count == expected)
      #expect(recorder.completions == (expected == 100 ? [.finished] : []))
    }
  }

  // MARK: Ends

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())])
  func groupsEndBeforeTheStreamAndAfterTheirValues(_ completion: Subscribers.Completion<TestFailure>) {
    let rig = Rig(inner: .max(1))
    rig.outer.onCompletion = { _ in #expect(rig.even.completions == [completion]) }
    rig.source.send(batch: [1, 2, 3])
    rig.source.send(completion: completion)
    #expect(rig.outer.completions == [completion] && rig.odd.completions.isEmpty)
    rig.odd.request(.max(1))
    #expect(rig.odd.events.suffix(2) == [.value(3), .completion(completion)])
    #expect(!rig.source.ledger.isCancelled)
  }

  @Test func aGroupThatWaitsHoldsTheEnd() {
    let rig = Rig(demand: .max(1))
    rig.source.send(batch: [1, 2])
    rig.source.send(completion: .finished)
    #expect(rig.odd.completions == [.finished] && rig.outer.completions.isEmpty)
    rig.outer.request(.max(1))
    #expect(rig.even.values == [2] && rig.outer.completions == [.finished])
  }

  @Test func aGroupOfAStreamThatHasEndedCanBeSubscribedTo() {
    let rig = Rig(subscribes: false)
    rig.source.send(batch: [1, 3])
    rig.source.send(completion: .finished)
    let recorder = Recorder()
    rig.outer.values[0].subscribe(recorder)
    #expect(recorder.values == [1, 3] && recorder.completions == [.finished])
  }

  // MARK: Cancellation

  @Test func aCancelledGroupDropsItsValues() {
    let rig = Rig(inner: .none, prefetch: .max(2))
    rig.source.send(batch: [1, 3])
    rig.odd.cancel()
    #expect(rig.source.ledger.outstanding == .max(2))
    rig.source.send(batch: [5, 2])
    #expect(rig.outer.values.map(\.key) == [false, true])
    #expect(rig.source.ledger.outstanding == .max(1))
  }

  @Test func aGroupThatNobodyHoldsDropsItsValues() {
    let recorder = RecordingSubscriber<Bool, TestFailure>()
    let source = Source()
    source.groupBy(prefetch: .max(2)) { $0.isMultiple(of: 2) }.map(\.key).subscribe(recorder)
    for value in 0..<100 { source.sendIfDemanded(value) }
    #expect(recorder.values == [true, false])
    #expect(source.ledger.outstanding == .max(2))
  }

  @Test func groupsGoOnWhenTheStreamIsCancelled() {
    let rig = Rig()
    rig.source.send(batch: [1, 2])
    rig.outer.cancel()
    rig.source.send(batch: [3, 4])
    rig.odd.cancel()
    #expect(!rig.source.ledger.isCancelled)
    rig.source.send(batch: [5, 6])
    rig.even.cancel()
    #expect(rig.source.ledger.isCancelled)
    #expect(rig.odd.values == [1, 3] && rig.even.values == [2, 4, 6])
  }

  @Test func aGroupThatHasNotBeenSubscribedToEndsWithTheStream() {
    let rig = Rig(subscribes: false)
    rig.source.send(1)
    rig.outer.cancel()
    #expect(rig.source.ledger.isCancelled)
    let recorder = Recorder()
    rig.outer.values[0].subscribe(recorder)
    #expect(recorder.events.count == 2 && recorder.completions == [.finished])
  }

  @Test func withoutGroupsACancellationReachesTheUpstreamAtOnce() {
    let rig = Rig(demand: .none)
    rig.source.send(batch: [1, 2])
    rig.outer.cancel()
    #expect(rig.source.ledger.isCancelled)
  }

  @Test func noGroupComesAfterTheCancellation() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    let source = Source()
    source.groupBy { $0 % 3 }.prefix(2).flatMap { $0 }.subscribe(recorder)
    for value in 0..<9 { source.sendIfDemanded(value) }
    #expect(recorder.values == [0, 1, 3, 4, 6, 7])
    source.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func cancelsWithinAValueOfAGroup() {
    let source = Source()
    let recorder = Recorder()
    recorder.onValue = { [unowned recorder] in
      if $0 == 3 { recorder.cancel() }
      return .none
    }
    source.groupBy { $0 % 2 }.flatMap { $0 }.subscribe(recorder)
    source.send(batch: [1, 2, 3, 4, 5])
    #expect(recorder.values == [1, 2, 3])
    #expect(source.ledger.isCancelled)
  }

  // MARK: Re-entrance

  @Test func whatIsSentWhenAGroupIsReceivedComesAfterItsFirstValue() {
    let source = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    let cancellable = source.groupBy { $0 % 2 }.flatMap { group -> GroupedPublisher<Int, Int, Never> in
      if group.key == 1 { [3, 2].forEach(source.send) }
      return group
    }.sink { values.append($0) }
    source.send(1)
    #expect(values == [2, 1, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aKeyMayComeBack() {
    struct Key: Hashable {
      let number: Int
      let onCompare: () -> Void
      static func == (a: Key, b: Key) -> Bool {
        a.onCompare()
        return a.number == b.number
      }
      func hash(into hasher: inout Hasher) {}
    }
    let source = PassthroughSubject<Int, Never>()
    var count = 0
    var keys: [Int] = []
    let cancellable = source.groupBy { number in
      Key(number: number) {
        count += 1
        if count == 1 { source.send(2) }
      }
    }.sink { keys.append($0.key.number) }
    [0, 1, 2, 1, 0].forEach(source.send)
    #expect(keys == [0, 2, 1])
    cancellable.cancel()
  }

  @Test func requestsWithinAValueDoNotNest() {
    let source = Source()
    let groups = RecordingSubscriber<Group, TestFailure>()
    source.groupBy(prefetch: .unlimited) { _ in true }.subscribe(groups)
    source.send(batch: Array(0..<100_000))
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      recorder.request(.max(1))
      return .none
    }
    groups.values[0].subscribe(recorder)
    #expect(recorder.values.count == 100_000)
  }

  // MARK: Lifetimes

  enum End: CaseIterable { case finish, fail, cancel, cancelGroupsFirst }

  @Test(arguments: End.allCases) func releasesEverything(_ end: End) {
    let tracker = LifetimeTracker()
    weak var weakSource: TestPublisher<LifetimeToken, TestFailure>?
    do {
      let source = TestPublisher<LifetimeToken, TestFailure>()
      weakSource = source
      let key = tracker.token()
      var cancellables: [AnyCancellable] = []
      var number = 0
      cancellables.append(
        source.groupBy { _ -> Int in
          key.keep()
          number += 1
          return number % 3
        }.sink(
          receiveCompletion: { _ in },
          receiveValue: { group in
            let recorder = RecordingSubscriber<LifetimeToken, TestFailure>(initialDemand: .none)
            if group.key < 2 { group.subscribe(recorder) }
            cancellables.append(AnyCancellable { recorder.cancel() })
          }))
      for _ in 0..<9 { source.send(tracker.token()) }
      switch end {
      case .finish: source.send(completion: .finished)
      case .fail: source.send(completion: .failure(TestFailure()))
      case .cancel: break
      case .cancelGroupsFirst: cancellables.reverse()
      }
      while !cancellables.isEmpty { cancellables.removeFirst().cancel() }
      source.forgetSubscribers()
    }
    #expect(weakSource == nil)
    #expect(tracker.liveCount == 0)
  }

  @Test func releasesEverythingWhenItIsCancelledBehindItsEnd() {
    let tracker = LifetimeTracker()
    do {
      let source = TestPublisher<LifetimeToken, TestFailure>()
      let recorder = RecordingSubscriber<GroupedPublisher<Bool, LifetimeToken, TestFailure>, TestFailure>(
        initialDemand: .none)
      source.groupBy { _ in true }.subscribe(recorder)
      source.send(tracker.token())
      source.send(completion: .finished)
      recorder.cancel()
      #expect(recorder.completions.isEmpty)
    }
    #expect(tracker.liveCount == 0)
  }

  // MARK: Threads

  @Test func threadsThatSendRequestAndCancel() {
    let source = PassthroughSubject<Int, Never>()
    let sum = Atomic(0)
    let recorders = Lock<[RecordingSubscriber<Int, Never>]>([])
    let cancellable = source.groupBy { $0 % 50 }.sink { group in
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
      recorder.onValue = { _ in
        sum.wrappingAdd(1, ordering: .relaxed)
        return .none
      }
      group.subscribe(recorder)
      recorders.withLock { $0.append(recorder) }
    }
    let next = Atomic(0)
    let request = {
      for recorder in recorders.withLock({ $0 }) { recorder.request(.max(1)) }
    }
    let send = { source.send(next.wrappingAdd(1, ordering: .relaxed).newValue) }
    race(rounds: 400, send, send, send, send, request, request)
    source.send(completion: .finished)
    for recorder in recorders.withLock({ $0 }) {
      recorder.request(.unlimited)
      #expect(recorder.completions == [.finished])
      #expect(recorder.overlapCount == 0)
      #expect(Set(recorder.values).count == recorder.values.count)
    }
    // A passthrough subject drops what has not been asked for.
    #expect(sum.load(ordering: .relaxed) <= 1600)
    withExtendedLifetime(cancellable) {}
  }
}
