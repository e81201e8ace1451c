import Streams
import StreamsTesting
import Testing

/// Counts how many elements have been taken from it.
private final class Counter: Sequence, IteratorProtocol, CustomStringConvertible {
  let limit: Int
  private(set) var taken = 0

  init(limit: Int) { self.limit = limit }

  func next() -> Int? {
    taken += 1
    return taken <= limit ? taken : nil
  }

  var description: String { "Counter" }
}

@Suite struct SequenceTests {
  private let counter = Counter(limit: 4)
  private let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)

  private var events: [String] { recorder.events.map { "\($0)" } }

  @Test func takesOneElementAhead() {
    counter.publisher.subscribe(recorder)
    #expect(counter.taken == 1)
    recorder.onValue = { [counter] value in
      #expect(counter.taken == value + 1)
      return .none
    }
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2])
    recorder.request(.none)
    #expect(recorder.values == [1, 2])
    recorder.request(.max(2))
    #expect(events == ["subscription(Counter)", "value(1)", "value(2)", "value(3)", "value(4)", "finished"])
    #expect(counter.taken == 5)
    recorder.request(.max(1))
    #expect(counter.taken == 5)
    #expect(recorder.batchSizes == [1, 1, 1, 1])
  }

  @Test func anEmptySequenceFinishesAtOnce() {
    let empty = Counter(limit: 0)
    expectCompletesAtOnce([Int]().publisher, with: "finished")
    empty.publisher.subscribe(recorder)
    #expect(events == ["subscription(Empty)", "finished"])
    #expect(empty.taken == 1)
  }

  @Test func returnedDemandCounts() {
    recorder.onValue = { $0 < 3 ? .max(1) : .none }
    counter.publisher.subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func requestsFromWithinValuesAreServedByTheLoop() {
    var depth = 0
    recorder.onValue = { [recorder] _ in
      depth += 1
      #expect(depth == 1)
      recorder.request(.max(1))
      depth -= 1
      return .none
    }
    (1...1000).publisher.subscribe(recorder)
    recorder.request(.max(1))
    #expect(recorder.values == Array(1...1000))
    #expect(recorder.completions == [.finished])
  }

  @Test func finiteDemandMayBecomeUnlimited() {
    recorder.onValue = { $0 == 2 ? .unlimited : .none }
    counter.publisher.subscribe(recorder)
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func cancellingStopsTheLoop() {
    for demand in [Subscribers.Demand.unlimited, .max(3)] {
      let counter = Counter(limit: 9)
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: demand)
      recorder.onValue = { [unowned recorder] value in
        if value == 2 { recorder.cancel() }
        return .none
      }
      counter.publisher.subscribe(recorder)
      recorder.request(.max(1))
      #expect(recorder.values == [1, 2])
      #expect(recorder.completions.isEmpty)
      #expect(counter.taken == 3)
      #expect("\(recorder.subscriptions[0])" == "Sequence")
    }
  }

  @Test func cancellingWithTheLastElementComesTooLate() {
    recorder.onValue = { [recorder] value in
      if value == 4 { recorder.cancel() }
      return .none
    }
    counter.publisher.subscribe(recorder)
    recorder.request(.unlimited)
    #expect(recorder.completions == [.finished])
  }

  @Test func describesItself() {
    (1...5).publisher.subscribe(recorder)
    expectReflection(of: recorder.subscriptions[0], name: "1...5", children: ["sequence"])
    recorder.request(.unlimited)
    expectReflection(of: recorder.subscriptions[0], name: "Sequence", children: ["sequence"])
    let mirrored = Mirror(reflecting: recorder.subscriptions[0]).children.first?.value
    #expect(mirrored as? [Int] == [])
  }

  @Test func releasesEverythingAtTheEnd() {
    final class Element {
      let token: LifetimeToken
      init(_ token: LifetimeToken) { self.token = token }
    }
    for end in [{ $0.cancel() }, { $0.request(.unlimited) }] as [(any Subscription) -> Void] {
      let lifetimes = LifetimeTracker()
      var subscription: (any Subscription)?
      do {
        let token = lifetimes.token()
        let recorder = RecordingSubscriber<Element, Never>(initialDemand: .none)
        recorder.onCompletion = { _ in token.keep() }
        [Element(lifetimes.token()), Element(lifetimes.token())].publisher.subscribe(recorder)
        subscription = recorder.subscriptions[0]
        subscription?.request(.max(1))
      }
      subscription.map(end)
      #expect(lifetimes.liveCount == 0)
    }
  }

  @Test func requestsFromSeveralThreadsAddUp() {
    for _ in 0..<50 {
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
      (0..<1000).publisher.subscribe(recorder)
      race(
        { for _ in 0..<100 { recorder.request(.max(3)) } },
        { for _ in 0..<100 { recorder.request(.max(2)) } })
      #expect(recorder.values == Array(0..<500))
      #expect(recorder.overlapCount == 0)
      race({ recorder.request(.unlimited) }, { recorder.cancel() })
      let count = recorder.events.count
      recorder.request(.unlimited)
      #expect(recorder.events.count == count)
    }
  }

  @Test func equalsByElements() {
    #expect([1, 2].publisher == [1, 2].publisher)
    #expect([1, 2].publisher != [2, 1].publisher)
  }

  @Test func hasEndedWhenItCompletes() {
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onCompletion = { [unowned recorder] _ in
      #expect("\(recorder.subscriptions[0])" == "Sequence")
    }
    [1, 2].publisher.subscribe(recorder)
    #expect(recorder.completions == [.finished])
  }
}
