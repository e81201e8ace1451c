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

  /// Until it refuses one, and as many as are demanded.
  @Test(arguments: [1, 3, 5]) func whoTakesPagesGetsThemUpToTheDemand(_ last: Int) {
    let taker = PageTaker(.max(2), last: last)
    publisher.subscribe(taker)
    #expect(taker.pages == [Array(1...min(last, 2))])
    taker.subscription?.request(.unlimited)
    #expect(taker.pages.joined().elementsEqual(1...last))
    #expect(taker.completions == (last == 5 ? 1 : 0))
  }

  /// As one does whose cancellation is left for later.
  @Test func whoRefusesTheRestOfAPageWithoutCancellingGetsNoMore() {
    let taker = PageTaker(.unlimited, last: 3)
    taker.cancels = false
    publisher.subscribe(taker)
    #expect(taker.pages == [[1, 2, 3]] && taker.completions == 1)
  }

  @Test func demandThatIsReturnedForAPageIsUsedAtOnce() {
    let taker = PageTaker(.max(1), last: 5)
    taker.more = .max(2)
    publisher.subscribe(taker)
    #expect(taker.pages == [[1], [2, 3], [4, 5]] && taker.completions == 1)
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

/// Takes pages up to a number, and cancels with that.
private final class PageTaker: Subscriber, PageSubscriber {
  var subscription: (any Subscription)?
  var pages: [[Int]] = []
  var completions = 0
  var more = Subscribers.Demand.none
  var cancels = true
  private let demand: Subscribers.Demand
  private let last: Int

  init(_ demand: Subscribers.Demand, last: Int) { (self.demand, self.last) = (demand, last) }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(demand)
  }

  func receive(page: UnsafeRawBufferPointer) -> (count: Int, demand: Subscribers.Demand) {
    let page = page.bindMemory(to: Int.self).prefix { $0 <= last }
    pages.append(Array(page))
    if cancels, page.last == last { subscription?.cancel() }
    return (page.count, more)
  }

  func receive(_ input: Int) -> Subscribers.Demand { fatalError("a value apart from its page") }
  func receive(completion: Subscribers.Completion<TestFailure>) { completions += 1 }
}
