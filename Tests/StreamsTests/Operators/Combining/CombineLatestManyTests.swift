import Streams
import StreamsTesting
import Testing

/// What is particular to a number of publishers known at run time; the rest is among the tests of combineLatest.
@Suite struct CombineLatestManyTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<[Int], TestFailure>

  @Test func nothingCombinedFinishesAtOnce() {
    let recorder = Recorder(initialDemand: .none)
    CombineLatestMany([Source]()).subscribe(recorder)
    #expect(recorder.events == [.subscription("CombineLatest"), .completion(.finished)])
  }

  @Test func aCombinationOfOneMakesArraysOfOne() {
    let source = Source()
    let recorder = Recorder(initialDemand: .max(2))
    CombineLatestMany(source).subscribe(recorder)
    #expect(source.ledger.requests == [.max(2)])
    source.send(1)
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.values == [[1], [2]])
    #expect(recorder.completions == [.finished])
  }

  @Test func twentyPublishersMakeArraysInTheirOrder() {
    let sources = (0..<20).map { _ in Source() }
    let recorder = Recorder()
    CombineLatestMany(sources).subscribe(recorder)
    for (index, source) in sources.enumerated().reversed() { source.send(index) }
    sources[19].send(100)
    #expect(recorder.values == [Array(0..<20), Array(0..<19) + [100]])
    recorder.cancel()
    #expect(sources.allSatisfy { $0.ledger.cancelCount == 1 })
  }

  @Test func equalListsAreEqual() {
    let (one, two) = (Just(1), Just(2))
    #expect(CombineLatestMany(one, two) == CombineLatestMany([one, two]))
    #expect(CombineLatestMany(one, two) != CombineLatestMany(two, one))
    #expect(CombineLatestMany([one, two]).publishers == [one, two])
  }

  // MARK: What is made of a row sees it as it was

  /// Looks at a row, and says what is to be done meanwhile.
  private struct Looking: RowTransform {
    let meanwhile: ([Int]) throws(TestFailure) -> Void

    func callAsFunction(_ count: Int, _ element: (Int) -> Item) throws(TestFailure) -> [Int] {
      Issue.record("a row is to be looked at where it is")
      return []
    }

    func callAsFunction(
      _ row: UnsafeBufferPointer<Item>, _ deliver: (UnsafePointer<[Int]>) -> Subscribers.Demand
    ) throws(TestFailure) -> Subscribers.Demand {
      try meanwhile(row.map(\.number))
      let seen = row.map(\.number)
      return withUnsafePointer(to: seen, deliver)
    }
  }

  private struct Item {
    let number: Int
    let token: LifetimeToken
  }

  private final class Rig {
    let lifetimes = LifetimeTracker()
    let sources = [TestPublisher<Item, TestFailure>(), TestPublisher<Item, TestFailure>()]
    let recorder = RecordingSubscriber<[Int], TestFailure>()
    /// What is done when a row is seen for the first time, and which rows nothing is made of.
    var actions: [[Int]: () -> Void] = [:]
    var refused: Set<[Int]> = []

    init() {
      let combining = Looking { [unowned self] row throws(TestFailure) in
        actions.removeValue(forKey: row)?()
        if refused.contains(row) { throw TestFailure() }
      }
      CombineLatestMany(sources, combining: combining).subscribe(recorder)
    }

    func send(_ number: Int, from source: Int) {
      sources[source].send(Item(number: number, token: lifetimes.token()))
    }
  }

  @Test func whatComesMeanwhileIsNotSeen() {
    let rig = Rig()
    rig.actions[[1, 2]] = {
      rig.send(3, from: 0)
      rig.send(4, from: 1)
      rig.send(5, from: 1)
    }
    rig.send(1, from: 0)
    rig.send(2, from: 1)
    #expect(rig.lifetimes.liveCount == 2)
    rig.send(6, from: 0)
    rig.actions[[7, 5]] = { rig.send(8, from: 1) }
    rig.send(7, from: 0)
    rig.send(9, from: 1)
    #expect(rig.recorder.values == [[1, 2], [6, 5], [7, 5], [7, 9]])
    #expect(rig.lifetimes.liveCount == 2)
    rig.recorder.cancel()
    #expect(rig.lifetimes.liveCount == 0)
  }

  @Test func whatIsSeenLivesUntilTheEndOfTheLookThatCancels() {
    let rig = Rig()
    rig.actions[[1, 2]] = {
      rig.recorder.cancel()
      #expect(rig.lifetimes.liveCount == 2)
      rig.send(3, from: 0)
    }
    rig.send(1, from: 0)
    rig.send(2, from: 1)
    #expect(rig.recorder.values == [] && rig.lifetimes.liveCount == 0)
  }

  @Test func aLookAtAReplacedRowMayCancelToo() {
    let rig = Rig()
    rig.actions[[1, 2]] = {
      rig.send(3, from: 0)
      rig.recorder.cancel()
    }
    rig.send(1, from: 0)
    rig.send(2, from: 1)
    #expect(rig.recorder.values == [] && rig.lifetimes.liveCount == 0)
  }

  @Test func anErrorAfterAValueThatComesMeanwhileFailsTheStream() {
    let rig = Rig()
    rig.actions[[1, 2]] = { rig.send(3, from: 0) }
    rig.refused = [[1, 2]]
    rig.send(1, from: 0)
    rig.send(2, from: 1)
    #expect(rig.recorder.completions == [.failure(TestFailure())] && rig.recorder.values == [])
    #expect(rig.lifetimes.liveCount == 0)
  }

  @Test func aFinishDuringALookIsSentAfterwards() {
    let rig = Rig()
    rig.actions[[1, 2]] = {
      for source in rig.sources { source.send(completion: .finished) }
    }
    rig.send(1, from: 0)
    rig.send(2, from: 1)
    #expect(rig.recorder.values == [] && rig.recorder.completions == [.finished])
    #expect(rig.lifetimes.liveCount == 0)
  }
}
