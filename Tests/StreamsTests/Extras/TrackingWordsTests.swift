import Streams
import StreamsTesting
import Testing

@testable import StreamsExtras

@Suite struct TrackingWordsTests {
  @Test func functionsAreCalledAsInTheProgram() {
    #expect(TrackingWords.swift[.value] == ("receive(_:)", "input: "))
    #expect(TrackingWords.c[.value] == ("on_value", "value: "))
    #expect(TrackingWords.swift[.drop].function == "drops" && TrackingWords.c[.drop].function == "dropped")
    #expect(TrackingWords.swift[.end].function == "deinit" && TrackingWords.c[.end].function == "released")
  }

  @Test func soIsDemand() {
    #expect(TrackingWords.swift.demand(.max(3)) == "max(3)" && TrackingWords.c.demand(.max(3)) == "3")
    #expect(
      TrackingWords.swift.demand(.unlimited) == "unlimited"
        && TrackingWords.c.demand(.unlimited) == "unlimited")
  }

  @Test func soAreEnds() {
    let failure = Subscribers.Completion<TestFailure>.failure(TestFailure())
    #expect(TrackingWords.c.completion(failure) == "failed: \(TestFailure())")
    #expect(TrackingWords.swift.completion(failure) == "\(failure)")
    #expect(TrackingWords.c.completion(Subscribers.Completion<Never>.finished) == "finished")
  }
}
