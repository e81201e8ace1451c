import Testing

@testable import Streams

/// Every event in every state.
@Suite struct FutureSubscriptionStateTests {
  private func lines() -> [FutureSubscriptionState<String>] {
    var all = [
      FutureSubscriptionState("idle"), FutureSubscriptionState("demanding"), FutureSubscriptionState("ended"),
    ]
    _ = all[1].request()
    _ = all[2].end()
    return all
  }

  private func results<Result>(_ event: (inout FutureSubscriptionState<String>) -> Result) -> [Result] {
    lines().map { line in
      var line = line
      return event(&line)
    }
  }

  @Test func takesRequestsUntilItHasEnded() {
    #expect(results { $0.request() } == [true, true, false])
    #expect(
      results { line in
        _ = line.request()
        return line.hasAnyDemand
      } == [true, true, false])
    #expect(lines().map(\.hasAnyDemand) == [false, true, false])
  }

  @Test func aValueWaitsForDemandAndAFailureDoesNot() {
    #expect(results { $0.serve(isFailure: false) } == [nil, "demanding", nil])
    #expect(results { $0.serve(isFailure: true) } == ["idle", "demanding", nil])
  }

  @Test func isServedOnce() {
    let afterwards = results { line -> String? in
      _ = line.serve(isFailure: true)
      return line.serve(isFailure: true) ?? line.end() ?? line.subscriber
    }
    #expect(afterwards == [nil, nil, nil])
  }

  @Test func endsOnce() {
    #expect(results { $0.end() } == ["idle", "demanding", nil])
    #expect(lines().map(\.subscriber) == ["idle", "demanding", nil])
  }
}
