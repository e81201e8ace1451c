import Streams
import StreamsTesting
import Testing

@Suite struct OptionalPublisherTests {
  private let none = Int?.none.publisher

  private func some<Value>(_ value: Value) -> Value?.Publisher { Optional(value).publisher }

  @Test func sendsItsValue() {
    expectSingleValue(of: some(42), name: "Optional")
    expectCompletesAtOnce(none, with: "finished")
  }

  @Test func requestingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      Optional(42).publisher
        .subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none).requestingNothing())
    }
  }
}
