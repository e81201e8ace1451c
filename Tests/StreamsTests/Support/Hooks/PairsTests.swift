import Streams
import StreamsTesting
import Testing

/// What makes something of two values, in the operators that take it.
@Suite struct PairsTests {
  typealias Source = TestPublisher<Int, TestFailure>

  /// Adds, and looks at each sum first.
  private struct Sum: Accumulation {
    let look: (Int) throws(TestFailure) -> Void

    func callAsFunction(_ first: UnsafePointer<Int>, _ second: UnsafePointer<Int>) throws(TestFailure) -> Int
    {
      try look(first.pointee + second.pointee)
      return first.pointee + second.pointee
    }
  }

  /// Whether two numbers are equal, which is looked at first.
  private struct Same: PairTransform {
    let look: (Int, Int) throws(TestFailure) -> Void

    func callAsFunction(_ first: UnsafePointer<Int>, _ second: UnsafePointer<Int>) throws(TestFailure) -> Bool
    {
      try look(first.pointee, second.pointee)
      return first.pointee == second.pointee
    }
  }

  private let source = Source()
  private let recorder = RecordingSubscriber<Int, TestFailure>()

  private func scan(_ look: @escaping (Int) throws(TestFailure) -> Void) {
    TryScanPairs(upstream: source, initialResult: 0, nextPartialResult: Sum(look: look)).subscribe(recorder)
  }

  private func removeDuplicates(_ look: @escaping (Int, Int) throws(TestFailure) -> Void) {
    TryRemoveDuplicatePairs(upstream: source, predicate: Same(look: look)).subscribe(recorder)
  }

  @Test func scanFailsWithWhatIsThrownWhenItsPublisherIsCancelled() {
    scan { sum throws(TestFailure) in if sum == 6 { throw TestFailure() } }
    recorder.onCompletion = { [source] _ in #expect(source.ledger.cancelCount == 1) }
    source.send(1)
    source.send(batch: [2, 3, 4])
    #expect(recorder.values == [1, 3] && recorder.completions == [.failure(TestFailure())])
  }

  @Test func scanPassesItsPublishersFailureOn() {
    scan { _ in }
    source.send(1)
    source.send(completion: .failure(TestFailure()))
    #expect(recorder.values == [1] && recorder.completions == [.failure(TestFailure())])
  }

  @Test func whatMakesAResultMaySendTheNextValue() {
    var isNested = false
    scan { [source] sum in
      guard sum == 3, !isNested else { return }
      isNested = true
      source.send(10)
    }
    source.send(1)
    source.send(2)
    #expect(recorder.values == [1, 11, 3])
  }

  @Test func removeDuplicatesFailsWithWhatIsThrown() {
    removeDuplicates { _, new throws(TestFailure) in if new == 3 { throw TestFailure() } }
    source.send(batch: [1, 1, 2])
    source.send(2)
    source.send(3)
    #expect(recorder.values == [1, 2] && recorder.completions == [.failure(TestFailure())])
    #expect(source.ledger.cancelCount == 1)
  }

  @Test func removeDuplicatesComparesWithTheValueBefore() {
    var pairs: [[Int]] = []
    removeDuplicates { pairs.append([$0, $1]) }
    source.send(1)
    source.send(batch: [1, 2])
    source.send(1)
    #expect(pairs == [[1, 1], [1, 2], [2, 1]] && recorder.values == [1, 2, 1])
  }
}
