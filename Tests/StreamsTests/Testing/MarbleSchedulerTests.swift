import Streams
import StreamsTesting
import Testing

/// How marbles become publishers.
@Suite struct MarbleSchedulerTests {
  private let scheduler = TestScheduler()

  @Test func playsOnItsClock() {
    #expect(scheduler.clock.now == scheduler.time)
    let virtual = VirtualTimeScheduler()
    #expect(virtual.clock === virtual)
  }

  @Test func takesValuesFromADictionary() throws {
    let source = try scheduler.cold("-t-'no'|", values: ["t": true, "no": false])
    #expect(scheduler.record(source).values == [true, false])
  }

  @Test func takesValuesFromTheirNames() throws {
    let numbers = try scheduler.cold("-1-'20'|", of: Int.self)
    #expect(scheduler.record(numbers).values == [1, 20])
    let characters: MarblePublisher<Character, Never> = try scheduler.cold("xy", of: Character.self)
    #expect(scheduler.record(characters).values == ["x", "y"])
  }

  @Test func failsWithTheErrorThatItIsGiven() throws {
    let source = try scheduler.cold("a-#", error: TestFailure())
    let recorder = scheduler.record(source)
    #expect(recorder.values == ["a"])
    #expect(recorder.failure == TestFailure())
    #expect(recorder.marbles == "a-#")
  }

  @Test(arguments: [
    ("--ax", 3, "no value is called 'x'"),
    ("-^a", 1, "a cold stream begins when it is subscribed to"),
    ("a-!", 2, "a stream does not cancel itself"),
    ("a-#", 2, "no error was given to fail with"),
    ("a(", 1, "the group is not closed"),
  ])
  func saysWhatIsWrongWithAColdOne(text: String, position: Int, reason: String) {
    let expected = MarbleError(notation: text, position: position, reason: reason)
    #expect(throws: expected) { try scheduler.cold(text, values: ["a": 1]) }
  }

  @Test(arguments: [
    ("--1x", 3, "'x' is not a value of type Int"),
    ("-^1^", 3, "a stream begins once"),
    ("1(^2)", 2, "the beginning cannot be in a group"),
    ("x-^1", 0, "'x' is not a value of type Int"),
    ("1|^", 2, "the stream has ended before"),
  ])
  func saysWhatIsWrongWithAHotOne(text: String, position: Int, reason: String) {
    let expected = MarbleError(notation: text, position: position, reason: reason)
    #expect(throws: expected) { try scheduler.hot(text, of: Int.self) }
  }

  @Test func aMomentWithoutLengthTraps() async {
    await #expect(processExitsWith: .failure) { _ = try TestScheduler().cold("a", every: 0) }
  }
}
