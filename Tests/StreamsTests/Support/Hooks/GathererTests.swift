import Streams
import StreamsTesting
import Testing

/// What gathers values, in the operator that takes it.
@Suite struct GathererTests {
  typealias Source = TestPublisher<Int, TestFailure>

  /// Adds the values up, of which none may be negative, and is done before time with a zero.
  private struct Sum: Gatherer {
    let limit: Int
    var elements: [Int] = []

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { elements.isEmpty }

    mutating func append(_ element: UnsafePointer<Int>) -> Bool {
      elements.append(element.pointee)
      return elements.count == limit || element.pointee == 0
    }

    consuming func result() throws(TestFailure) -> Int {
      guard elements.allSatisfy({ $0 >= 0 }) else { throw TestFailure() }
      return elements.reduce(0, +)
    }
  }

  private let source = Source()
  private let recorder = RecordingSubscriber<Int, TestFailure>()

  private func collect(_ count: Int) {
    CollectByCountInto(Sum.self, upstream: source, count: count).subscribe(recorder)
  }

  @Test func whatIsMadeOfEachGroupIsSent() {
    collect(2)
    source.send(1)
    source.send(batch: [2, 3, 4, 5])
    source.send(0)
    source.send(7)
    source.send(completion: .finished)
    #expect(recorder.values == [3, 7, 5, 7] && recorder.completions == [.finished])
  }

  @Test func whatPreventsAResultFailsTheStreamAfterTheCancellation() {
    collect(2)
    recorder.onCompletion = { [source] _ in #expect(source.ledger.cancelCount == 1) }
    source.send(batch: [1, 2, -1, 2, 3, 4])
    source.send(completion: .finished)
    #expect(recorder.values == [3] && recorder.completions == [.failure(TestFailure())])
  }

  @Test func whatPreventsTheLastResultFailsTheStream() {
    collect(2)
    source.send(-1)
    source.send(completion: .finished)
    #expect(recorder.values == [] && recorder.completions == [.failure(TestFailure())])
    #expect(source.ledger.cancelCount == 0)
  }

  @Test func anArrayIsFullWhenItHasAsManyAsItMay() {
    var gatherer = ArrayGatherer<Int, Never>(limit: 2)
    #expect(gatherer.isEmpty)
    var (one, two) = (1, 2)
    #expect(!gatherer.append(&one) && !gatherer.isEmpty)
    #expect(gatherer.append(&two) && gatherer.elements == [1, 2])
    #expect(gatherer.result() == [1, 2])
  }
}
