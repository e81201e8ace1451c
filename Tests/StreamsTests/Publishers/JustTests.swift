import Streams
import StreamsTesting
import Testing

@Suite struct JustTests {
  @Test func sendsItsValue() { expectSingleValue(of: Just(42), name: "Just") }

  @Test func requestingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      Just(42).subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none).requestingNothing())
    }
  }

  @Test func equals() {
    #expect(Just(1) == Just(1))
    #expect(Just(1) != Just(2))
  }
}
