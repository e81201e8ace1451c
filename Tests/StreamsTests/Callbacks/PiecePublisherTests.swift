import StreamsTesting
import Testing

@testable import Streams
@testable import StreamsCallbacks

@Suite struct PiecePublisherTests {
  private let publisher = PiecePublisher<[Int], TestFailure>(
    ArrayPiece([1, 2, 3, 4, 5]), values: [1, 2, 3, 4, 5])

  @Test func whoTakesPiecesGetsThemAsLargeAsTheDemand() {
    let taker = PieceTaker<Int, TestFailure>(.max(2))
    publisher.subscribe(taker)
    #expect(taker.pieces == [[1, 2]])
    taker.subscription?.request(.max(1))
    taker.subscription?.request(.unlimited)
    #expect(taker.pieces == [[1, 2], [3], [4, 5]] && taker.completions == 1)
  }

  @Test func demandThatIsReturnedIsUsedAtOnce() {
    let taker = PieceTaker<Int, TestFailure>(.max(1))
    taker.more = .max(2)
    publisher.subscribe(taker)
    #expect(taker.pieces == [[1], [2, 3], [4, 5]] && taker.completions == 1)
  }

  @Test func nothingComesAfterACancellation() {
    let taker = PieceTaker<Int, TestFailure>(.max(3))
    publisher.subscribe(taker)
    taker.subscription?.cancel()
    taker.subscription?.request(.unlimited)
    #expect(taker.pieces == [[1, 2, 3]] && taker.completions == 0)
  }

  @Test func everyoneElseGetsTheValues() {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4, 5] && recorder.completions == [.finished])
  }

  @Test func everyoneElseGetsAsManyValuesAsAreDemanded() {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(1))
    recorder.onValue = { $0 == 1 ? .max(2) : .none }
    publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && recorder.overdrawn == 0)
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3, 4, 5] && recorder.completions == [.finished])
  }

  /// As Combine's sequence does, it completes whoever cancels with the last value.
  @Test(arguments: [1, 3, 5]) func whoCancelsAmidTheValuesGetsNoFurtherOne(_ last: Int) {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    recorder.onValue = { [unowned recorder] value in
      if value == last { recorder.subscriptions[0].cancel() }
      return .none
    }
    publisher.subscribe(recorder)
    #expect(recorder.values == Array(1...last) && recorder.completions.count == (last == 5 ? 1 : 0))
  }

  @Test func whoTakesPiecesGetsTheValuesBesideOneWhoDoesNot() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let taker = PieceTaker<Int, TestFailure>(.unlimited)
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(2))
    subject.subscribe(taker)
    subject.subscribe(recorder)
    let isSent = subject.sendUnlessCompleted(ArrayPiece([1, 2, 3]))
    #expect(isSent && taker.pieces == [[1], [2], [3]] && recorder.values == [1, 2])
  }

  @Test func subjectsPassPiecesOnToWhoTakesThem() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let taker = PieceTaker<Int, TestFailure>(.max(3))
    subject.subscribe(taker)
    let isSent = subject.sendUnlessCompleted(ArrayPiece([1, 2, 3, 4, 5]))
    #expect(isSent && taker.pieces == [[1, 2, 3]])
    subject.send(completion: .finished)
    let isRefused = !subject.sendUnlessCompleted(ArrayPiece([6]))
    #expect(isRefused && taker.completions == 1)
  }

  @Test func theLatestValueOfASubjectIsThePiecesLast() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let isSent = subject.sendUnlessCompleted(ArrayPiece([1, 2]))
    #expect(isSent && subject.value == 2)
  }
}
