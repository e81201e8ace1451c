import Streams
import StreamsTesting
import Testing

@Suite struct MarbleRecordingTests {
  private let scheduler = TestScheduler()

  // MARK: Operators in marbles

  @Test func merges() throws {
    let a = try scheduler.cold("--a-b---|")
    let b = try scheduler.cold("----c-|")
    #expect(scheduler.record(a.merge(with: b)).marbles == "--a-(bc)---|")
  }

  @Test func debounces() throws {
    let keys = try scheduler.hot("a-b---cd----|")
    let settled = keys.debounce(for: .seconds(2), scheduler: scheduler)
    #expect(scheduler.record(settled).marbles == "----b----d--|")
  }

  @Test func switches() throws {
    let inner = [
      "x": try scheduler.cold("-a-a-a-|"), "y": try scheduler.cold("-b-b|"),
    ]
    let outer = try scheduler.cold("-x---y--|", values: inner)
    #expect(scheduler.record(outer.switchToLatest()).marbles == "--a-a-b-b|")
    #expect(inner["x"]?.subscriptionMarbles == ["-^---!"])
    #expect(inner["y"]?.subscriptionMarbles == ["-----^"])
  }

  @Test func retries() throws {
    let source = try scheduler.cold("-a-#", error: TestFailure())
    #expect(scheduler.record(source.retry(1)).marbles == "-a--a-#")
    #expect(source.subscriptionMarbles == ["^", "---^"])
  }

  @Test func playsOnAVirtualTimeScheduler() throws {
    let scheduler = VirtualTimeScheduler()
    let source = try scheduler.hot("a-b|")
    let delayed = source.delay(for: .milliseconds(1500), scheduler: scheduler)
    #expect(scheduler.record(delayed).marbles == "-a-b|")
  }

  @Test func isNoUseOfTheScheduler() throws {
    let source = try scheduler.cold("a-b|")
    _ = scheduler.record(source)
    _ = try scheduler.record(source, subscription: "-^-!")
    #expect(scheduler.calls == [])
  }

  // MARK: Time and demand

  @Test func beginsWhenItIsMade() throws {
    scheduler.advance(by: 5)
    #expect(scheduler.record(try scheduler.cold("-a|")).marbles == "-a|")
  }

  @Test func endsAfterALength() throws {
    let ticks = try scheduler.cold("a-b-c-d|")
    #expect(scheduler.record(ticks, for: 4).marbles == "a-b-c")
    #expect(scheduler.time == .zero.advanced(by: 4))
  }

  @Test func requestsItsInitialDemand() throws {
    let source = try scheduler.cold("a-b-c|")
    #expect(scheduler.record(source, initialDemand: .max(2)).marbles == "a-b")
    #expect(source.ledger.requests == [.max(2)])
  }

  @Test func subscribesAndCancelsWhenItIsTold() throws {
    let hot = try scheduler.hot("a-b-c-d-e|")
    #expect(try scheduler.record(hot, subscription: "-^---!").marbles == "--b-c")
    #expect(hot.subscriptionMarbles == ["-^---!"])

    let cold = try scheduler.cold("a-b-c|", every: .milliseconds(1))
    let recorder = try scheduler.record(cold, subscription: "--^---!", every: .milliseconds(1))
    #expect(recorder.marbles(every: .milliseconds(1)) == "--a-b")
    #expect(try scheduler.record(cold, subscription: "--!").values == ["a", "b", "c"])
    #expect(try scheduler.record(cold, subscription: "").values == ["a", "b", "c"])
    #expect(try scheduler.record(cold, subscription: "-(^!)", for: 9).events.map(\.kind) == ["subscription"])
  }

  @Test func lastsFromItsFirstMomentUntilBeforeItsLast() throws {
    let hot = try scheduler.hot("abcde")
    #expect(try scheduler.record(hot, subscription: "-^-!").marbles == "-bc")
    #expect(try scheduler.record(scheduler.cold("abcde"), subscription: "-^-!").marbles == "-ab")
  }

  @Test(arguments: [
    ("-^a", 2, "a subscription has no marks but '^' and '!'"),
    ("^|", 1, "a subscription has no marks but '^' and '!'"),
    ("^-^", 2, "there is one subscription"),
    ("^!-!", 3, "it was cancelled before"),
    ("!-^", 2, "it was cancelled before"),
    ("(^", 0, "the group is not closed"),
  ])
  func saysWhatIsWrongWithASubscription(text: String, position: Int, reason: String) {
    let expected = MarbleError(notation: text, position: position, reason: reason)
    #expect(throws: expected) { try scheduler.record(Just(1), subscription: text) }
  }

  // MARK: Writing

  @Test func writesWhatHappened() throws {
    #expect(scheduler.record(Empty<Int, Never>(completeImmediately: false)).marbles == "")
    #expect(scheduler.record(Just(7)).marbles == "(7|)")
    #expect(scheduler.record([9, 10, 11].publisher).marbles == "(9'10' '11'|)")
    #expect(scheduler.record(Fail<Int, TestFailure>(error: TestFailure())).marbles == "#")
    #expect(scheduler.record(["-", " ", "'", "ab"].publisher).marbles == "('-' ' ' '''' 'ab'|)")
    let apart = try scheduler.cold("'aa''bb'--'cc' 'dd'|")
    #expect(scheduler.record(apart).marbles == "'aa''bb'--'cc' 'dd'|")
  }

  @Test func callsValuesByTheirNames() {
    let recorder = scheduler.record([true, false, true].publisher)
    #expect(recorder.marbles(values: ["t": true, "f": false]) == "(tft|)")
    #expect(recorder.marbles(values: ["y": true, "x": true]) == "(x'false'x|)")
  }

  @Test func whatHappensWithinAMomentIsOneMoment() throws {
    let source = try scheduler.cold("a-b-c|", every: .milliseconds(400))
    #expect(scheduler.record(source).marbles == "(ab)c|")
  }

  @Test func withoutASchedulerThereIsNoTime() {
    let recorder = RecordingSubscriber<Int, Never>()
    [1, 2].publisher.subscribe(recorder)
    #expect(recorder.marbles == "(12|)")
    #expect(recorder.times == [.zero, .zero, .zero, .zero])
  }
}
