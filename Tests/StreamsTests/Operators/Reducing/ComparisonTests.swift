import Streams
import StreamsTesting
import Testing

@Suite struct ComparisonTests {
  @Test func behavesAsAReduction() {
    Reduction(name: "Comparison", result: 1, resultOfNothing: nil) { $0.min() }.check()
    Reduction(name: "Comparison", result: 5, resultOfNothing: nil) { $0.max() }.check()
    Reduction(name: "Comparison", result: 5, resultOfNothing: nil) { $0.min(by: >) }.check()
    Reduction(name: "Comparison", result: 1, resultOfNothing: nil) { $0.max(by: >) }.check()
    Reduction(name: "TryComparison", result: 5, resultOfNothing: nil) { $0.tryMin(by: >) }.check()
    Reduction(name: "TryComparison", result: 1, resultOfNothing: nil) { $0.tryMax(by: >) }.check()
  }

  /// The second number of a pair tells equal ones apart.
  @Test func theFirstOfEqualsWins() {
    let pairs = [(1, 0), (2, 0), (2, 1), (1, 1)]
    func isLess(_ first: (Int, Int), _ second: (Int, Int)) -> Bool { first.0 < second.0 }
    let (recorders, failing) = (
      (0..<2).map { _ in RecordingSubscriber<(Int, Int), TestFailure>() },
      (0..<2).map { _ in RecordingSubscriber<(Int, Int), any Error>() }
    )
    let upstream = TestPublisher<(Int, Int), TestFailure>()
    upstream.min(by: isLess).subscribe(recorders[0])
    upstream.max(by: isLess).subscribe(recorders[1])
    upstream.tryMin(by: isLess).subscribe(failing[0])
    upstream.tryMax(by: isLess).subscribe(failing[1])
    for pair in pairs { upstream.send(pair) }
    upstream.send(completion: .finished)
    #expect(recorders.map { $0.values.map { [$0.0, $0.1] } } == [[[1, 0]], [[2, 0]]])
    #expect(failing.map { $0.values.map { [$0.0, $0.1] } } == [[[1, 0]], [[2, 0]]])
  }

  @Test func aThrownErrorCancelsAndFails() {
    checkFailingStep(name: "TryComparison") { upstream, check in
      upstream.tryMin { first, second in
        try check(max(first, second))
        return first < second
      }
    }
    checkFailingStep(name: "TryComparison") { upstream, check in
      upstream.tryMax { first, second in
        try check(max(first, second))
        return first < second
      }
    }
  }

  @Test func comparesTheBestWithTheNewest() {
    var pairs: [[Int]] = []
    let compare: (Int, Int) -> Bool = { first, second in
      pairs.append([first, second])
      return first < second
    }
    func result(_ make: (AnyPublisher<Int, Never>) -> some Publisher<Int, Never>) -> Int? {
      pairs = []
      var result: Int?
      make([2, 3, 1].publisher.eraseToAnyPublisher()).sink { result = $0 }.cancel()
      return result
    }
    #expect(result { $0.max(by: compare) } == 3)
    #expect(pairs == [[2, 3], [3, 1]])
    #expect(result { $0.min(by: compare) } == 1)
    #expect(pairs == [[3, 2], [1, 2]])
  }

  @Test func equalValuesKeepTheFirst() {
    struct Item: Equatable { let key: Int, name: String }
    let items = [Item(key: 1, name: "a"), Item(key: 1, name: "b")].publisher.eraseToAnyPublisher()
    for publisher in [items.max { $0.key < $1.key }, items.min { $0.key < $1.key }] {
      let recorder = RecordingSubscriber<Item, Never>()
      publisher.subscribe(recorder)
      #expect(recorder.values == [Item(key: 1, name: "a")])
    }
  }
}
