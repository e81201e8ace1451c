import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite struct WindowByCountTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Window = WindowPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private final class Rig {
    let source = Source()
    let outer: RecordingSubscriber<Window, TestFailure>
    var windows: [Recorder] = []

    init(
      _ count: Int, skip: Int? = nil, demand: Subscribers.Demand = .unlimited,
      inner: Subscribers.Demand = .unlimited, prefetch: Subscribers.Demand = .max(256)
    ) {
      outer = RecordingSubscriber(initialDemand: demand)
      outer.onValue = { [unowned self] window in
        let recorder = Recorder(initialDemand: inner)
        windows.append(recorder)
        window.subscribe(recorder)
        return .none
      }
      source.window(count: count, skip: skip, prefetch: prefetch).subscribe(outer)
    }

    var values: [[Int]] { windows.map(\.values) }
    var finished: [Bool] { windows.map { $0.completions == [.finished] } }
  }

  @Test func sendsWindowsOfSoManyValues() {
    let rig = Rig(3)
    rig.source.send(batch: [1, 2])
    #expect(rig.values == [[1, 2]] && rig.finished == [false])
    rig.source.send(batch: [3, 4, 5, 6, 7])
    #expect(rig.values == [[1, 2, 3], [4, 5, 6], [7]] && rig.finished == [true, true, false])
    rig.source.send(completion: .finished)
    #expect(rig.finished == [true, true, true] && rig.outer.completions == [.finished])
    #expect(rig.windows[0].events.first == .subscription("WindowByCount"))
  }

  @Test func noEmptyWindowComesLast() {
    let rig = Rig(2)
    rig.source.send(batch: [1, 2, 3, 4])
    rig.source.send(completion: .finished)
    #expect(rig.values == [[1, 2], [3, 4]])
  }

  @Test func windowsMayOverlapOrHaveGaps() {
    for (skip, expected) in [
      (1, [[0, 1, 2], [1, 2, 3], [2, 3], [3]]), (4, [[0, 1, 2]]), (2, [[0, 1, 2], [2, 3]]),
    ] {
      for batches in [[[0, 1, 2, 3]], [[0], [1], [2], [3]]] {
        let rig = Rig(3, skip: skip)
        batches.forEach { rig.source.send(batch: $0) }
        #expect(rig.values == expected)
        #expect(rig.source.ledger.outstanding == .max(256))
      }
    }
  }

  @Test func valuesWaitForTheDemandOfTheirWindow() {
    let rig = Rig(2, inner: .max(1), prefetch: .max(3))
    rig.source.send(batch: [1, 2, 3])
    #expect(rig.values == [[1], [3]] && rig.finished == [false, false])
    #expect(rig.source.ledger.outstanding == .max(2))
    rig.windows[0].request(.max(1))
    #expect(rig.values == [[1, 2], [3]] && rig.finished == [true, false])
    #expect(rig.source.ledger.outstanding == .max(3))
  }

  @Test func windowsWaitForDemand() {
    let rig = Rig(1, demand: .max(1), prefetch: .max(2))
    for value in 1...5 { rig.source.sendIfDemanded(value) }
    #expect(rig.values == [[1]])
    rig.outer.request(.max(1))
    rig.outer.request(.max(1))
    #expect(rig.values == [[1], [2], [3]])
    #expect(rig.source.ledger.outstanding == .max(2))
  }

  @Test func aValueCountsInEachWindow() {
    let rig = Rig(2, skip: 1, inner: .none, prefetch: .max(4))
    for value in 1...9 { rig.source.sendIfDemanded(value) }
    #expect(rig.source.ledger.outstanding == .none)
    rig.windows.forEach { $0.request(.unlimited) }
    for value in 1...9 { rig.source.sendIfDemanded(value) }
    rig.windows.forEach { $0.request(.unlimited) }
    #expect(rig.source.ledger.outstanding > 0)
  }

  @Test func aFailureEndsTheOpenWindows() {
    let rig = Rig(3, skip: 1)
    rig.source.send(batch: [1, 2])
    rig.source.send(completion: .failure(TestFailure()))
    #expect(rig.windows.map(\.completions) == [[.failure(TestFailure())], [.failure(TestFailure())]])
    #expect(rig.outer.completions == [.failure(TestFailure())])
  }

  @Test func aCancelledWindowDropsItsValues() {
    let rig = Rig(3, inner: .none, prefetch: .max(3))
    rig.source.send(batch: [1, 2])
    rig.windows[0].cancel()
    #expect(rig.source.ledger.outstanding == .max(3))
    rig.source.send(batch: [3, 4])
    #expect(rig.windows.count == 2 && rig.source.ledger.outstanding == .max(2))
  }

  @Test func theOpenWindowGoesOnAfterTheCancellation() {
    let rig = Rig(3)
    rig.source.send(1)
    rig.outer.cancel()
    #expect(!rig.source.ledger.isCancelled)
    rig.source.send(batch: [2, 3])
    #expect(rig.values == [[1, 2, 3]] && rig.finished == [true])
    #expect(rig.source.ledger.isCancelled)
  }

  @Test func ofManyNothingIsLeft() {
    let tracker = LifetimeTracker()
    do {
      let recorder = RecordingSubscriber<Int, Never>()
      (0..<20_000).publisher.map { _ in tracker.token() }.window(count: 2).flatMap { $0.count() }.subscribe(
        recorder)
      #expect(recorder.values == Array(repeating: 2, count: 10_000))
      let ignoring = RecordingSubscriber<Int, Never>()
      (0..<20_000).publisher.map { _ in tracker.token() }.window(count: 2).map { _ in 1 }.subscribe(ignoring)
      #expect(ignoring.values.count == 10_000)
    }
    #expect(tracker.liveCount == 0)
  }

  /// Demand is held back only while streams of the same window or group are cancelled together.
  @Test func anotherStreamsCancellationHoldsNoDemandBack() {
    let numbers = PassthroughSubject<Int, Never>()
    let divided: [AnyPublisher<Int, Never>] = [
      numbers.window(count: 2).flatMap { $0 }.eraseToAnyPublisher(),
      numbers.groupBy { $0 % 2 }.flatMap { $0 }.eraseToAnyPublisher(),
    ]
    for publisher in divided {
      let other = PassthroughSubject<Int, Never>()
      var values: [Int] = []
      var cancellable: AnyCancellable?
      other.handleEvents(receiveCancel: {
        cancellable = publisher.sink { values.append($0) }
        numbers.send(1)
      }).flatMap { Just($0) }.sink { _ in }.cancel()
      numbers.send(2)
      #expect(values == [1, 2])
      withExtendedLifetime(cancellable) {}
    }
  }
}
