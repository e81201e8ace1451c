import Streams
import StreamsTesting
import Testing

@Suite struct FailTests {
  @Test func failsAtOnce() {
    expectCompletesAtOnce(Fail<Int, TestFailure>(error: TestFailure()), with: "failure(failure)")
    expectCompletesAtOnce(Fail(outputType: Int.self, failure: TestFailure()), with: "failure(failure)")
  }

  @Test func equalsByError() {
    enum Reason: Error { case first, second }
    #expect(Fail<Int, Reason>(error: .first) == Fail(error: .first))
    #expect(Fail<Int, Reason>(error: .first) != Fail(error: .second))
  }
}
