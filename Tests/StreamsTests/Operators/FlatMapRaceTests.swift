import Streams
import StreamsTesting
import Testing

/// `flatMap` with several threads.
@Suite struct FlatMapRaceTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<200 {
      let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
      let (first, second) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let recorder = Recorder(initialDemand: .max(30)) { $0 % 7 == 0 ? .max(5) : .none }
      outer.flatMap { $0 }.subscribe(recorder)
      outer.send(first)
      outer.send(second)
      race(
        { for value in 0..<40 { first.send(value) } },
        { for value in 0..<40 { second.send(value) } },
        {
          for _ in 0..<10 { recorder.subscriptions[0].request(.max(1)) }
          recorder.cancel()
        })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.completions.isEmpty)
      let count = recorder.values.count
      first.send(1)
      second.send(1)
      #expect(recorder.values.count == count)
    }
  }

  @Test func nothingIsLostWhenTwoThreadsSend() {
    for _ in 0..<100 {
      let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
      let (first, second) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let recorder = Recorder()
      outer.flatMap { $0 }.subscribe(recorder)
      outer.send(first)
      outer.send(second)
      race(
        {
          for value in 0..<50 { first.send(value) }
          first.send(completion: .finished)
        },
        {
          for value in 100..<150 { second.send(value) }
          second.send(completion: .finished)
        },
        { outer.send(completion: .finished) })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values.filter { $0 < 100 } == Array(0..<50))
      #expect(recorder.values.filter { $0 >= 100 } == Array(100..<150))
      #expect(recorder.completions == [.finished])
    }
  }
}
