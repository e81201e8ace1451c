import Streams
import StreamsCallbacks
import StreamsTesting
import Testing

/// An operator that is written in closures, as in another language: it sends each value so many times.
@Suite struct OperatorInnerTests {
  private typealias Sut = OperatorInner<Int, Int, TestFailure>
  private let subject = PassthroughSubject<Int, TestFailure>()

  /// Subscribes, and returns the subscriber and how often the operator was closed.
  private func subscribe(
    _ demand: Subscribers.Demand = .unlimited, times: Int = 2,
    onCompletion: @escaping (Sut) -> TestFailure? = { _ in nil }
  ) -> (RecordingSubscriber<Int, TestFailure>, closedCount: () -> Int) {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: demand)
    let inner = Sut(recorder)
    var closedCount = 0
    inner.attach(
      to: subject,
      .init(
        onValue: { [unowned inner] value in
          if value < 0 { return TestFailure() }
          _ = Array(repeating: value, count: times).withUnsafeBufferPointer(inner.send)
          return nil
        },
        onCompletion: { [unowned inner] _ in onCompletion(inner) }, close: { closedCount += 1 }))
    return (recorder, { closedCount })
  }

  @Test func whatItSendsGoesDownstream() {
    let (recorder, closedCount) = subscribe()
    for value in 1...2 { subject.send(value) }
    #expect(recorder.values == [1, 1, 2, 2])
    subject.send(completion: .finished)
    #expect(recorder.completions == [.finished])
    #expect(closedCount() == 1)
  }

  @Test func whatThereIsNoDemandForWaits() {
    let (recorder, closedCount) = subscribe(.max(1), times: 3)
    subject.send(1)
    #expect(recorder.values == [1])
    subject.send(completion: .finished)
    #expect(closedCount() == 0)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 1])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 1, 1])
    #expect(recorder.completions == [.finished])
    #expect(closedCount() == 1)
  }

  @Test func itMaySendAtTheEnd() {
    let (recorder, _) = subscribe(onCompletion: { inner in
      _ = [7].withUnsafeBufferPointer(inner.send)
      return nil
    })
    subject.send(completion: .finished)
    #expect(recorder.values == [7])
    #expect(recorder.completions == [.finished])
  }

  @Test func aFailureOfItsFunctionEndsBothSides() {
    let (recorder, closedCount) = subscribe()
    subject.send(-1)
    subject.send(1)
    #expect(recorder.values == [])
    #expect(recorder.completions == [.failure(TestFailure())])
    #expect(closedCount() == 1)
  }

  @Test func cancellingClosesIt() {
    let (recorder, closedCount) = subscribe()
    recorder.cancel()
    subject.send(1)
    #expect(recorder.values == [])
    #expect(closedCount() == 1)
  }

  @Test func oneThatCouldNotBeMadeFails() {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    Sut(recorder).refuse(TestFailure())
    #expect(recorder.completions == [.failure(TestFailure())])
  }
}
