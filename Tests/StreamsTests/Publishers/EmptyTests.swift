import Streams
import StreamsTesting
import Testing

@Suite struct EmptyTests {
  @Test func finishesAtOnce() {
    expectCompletesAtOnce(Empty<Int, TestFailure>(), with: "finished")
    expectCompletesAtOnce(Empty(outputType: Int.self, failureType: Never.self), with: "finished")
  }

  @Test func mayNeverFinish() {
    let recorder = RecordingSubscriber<Int, Never>()
    Empty(completeImmediately: false).subscribe(recorder)
    #expect(recorder.events == [.subscription("Empty")])
    expectReflection(of: recorder.subscriptions[0], name: "Empty")
  }

  @Test func equals() {
    #expect(Empty<Int, any Error>() == Empty(completeImmediately: true))
    #expect(Empty<Int, any Error>() != Empty(completeImmediately: false))
  }
}
