import Streams
import StreamsTesting
import Testing

@Suite struct ResultPublisherTests {
  private typealias Sut<Value> = Result<Value, TestFailure>.Publisher

  private let failure = Sut<Int>(TestFailure())

  @Test func sendsItsValueOrItsFailure() {
    expectSingleValue(of: Sut(42), name: "Once")
    expectSingleValue(of: Result<Int, TestFailure>.success(42).publisher, name: "Once")
    expectCompletesAtOnce(failure, with: "failure(failure)")
  }

  @Test func requestingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      Result<Int, Never>.success(42).publisher
        .subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none).requestingNothing())
    }
  }
}
