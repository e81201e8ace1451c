import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite struct WindowPublisherTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  let source = TestPublisher<Int, TestFailure>()
  let windows = RecordingSubscriber<WindowPublisher<Int, TestFailure>, TestFailure>()

  init() { source.window(count: 3).subscribe(windows) }

  @Test func isForOneSubscriber() {
    source.send(batch: [1, 2])
    let recorders = [Recorder(), Recorder()]
    recorders.forEach(windows.values[0].subscribe)
    source.send(3)
    #expect(recorders.map(\.values) == [[1, 2, 3], []])
    #expect(recorders.map(\.completions) == [[.finished], [.finished]])
  }

  @Test func keepsItsValuesWhenItIsOver() {
    source.send(batch: [1, 2, 3, 4])
    source.send(completion: .failure(TestFailure()))
    let recorders = [Recorder(initialDemand: .max(2)), Recorder()]
    for (window, recorder) in zip(windows.values, recorders) { window.subscribe(recorder) }
    #expect(recorders.map(\.values) == [[1, 2], [4]])
    recorders[0].request(.max(1))
    #expect(recorders.map(\.completions) == [[.finished], [.failure(TestFailure())]])
  }

  @Test func anUpstreamMayAnswerEachRequestAtOnce() {
    let endless = TestPublisher<Int, TestFailure>()
    endless.onRequest = { [unowned endless] _ in endless.sendIfDemanded(0) }
    let recorder = Recorder(initialDemand: .max(3))
    endless.window(count: 1, prefetch: .max(2)).flatMap { $0 }.subscribe(recorder)
    for _ in 0..<10 { endless.sendIfDemanded(0) }
    #expect(recorder.values == [0, 0, 0])
  }
}
