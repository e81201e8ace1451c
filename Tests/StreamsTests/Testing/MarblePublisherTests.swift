import Streams
import StreamsTesting
import Testing

@Suite struct MarblePublisherTests {
  private let scheduler = TestScheduler()

  // MARK: Cold

  @Test func aColdOneBeginsWithEachSubscription() throws {
    let source = try scheduler.cold("a-(bc)|")
    let first = RecordingSubscriber<String, Never>(scheduler: scheduler)
    source.subscribe(first)
    #expect(first.values == [])
    scheduler.advance(by: 1)
    #expect(first.values == ["a"])
    let second = RecordingSubscriber<String, Never>(scheduler: scheduler)
    source.subscribe(second)
    scheduler.run()
    #expect(first.marbles == "a-(bc)|")
    #expect(second.marbles == "a-(bc)|")
    #expect(source.subscriptionMarbles == ["^", "-^"])
    #expect(scheduler.time == .zero.advanced(by: 4))
  }

  @Test func aMomentIsAsLongAsItIsToldToBe() throws {
    let source = try scheduler.cold("a-b|", every: .milliseconds(10))
    let recorder = scheduler.record(source)
    #expect(recorder.times.map(\.nanoseconds) == [0, 0, 20_000_000, 30_000_000])
    #expect(recorder.marbles(every: .milliseconds(10)) == "a-b|")
  }

  /// Values and the end wait in order until they are asked for.
  @Test func aColdOneKeepsWhatIsNotDemanded() throws {
    let source = try scheduler.cold("abc|")
    let recorder = RecordingSubscriber<String, Never>(initialDemand: .max(1), scheduler: scheduler)
    source.subscribe(recorder)
    scheduler.advance(by: 9)
    #expect(recorder.marbles == "a")
    recorder.onValue = { $0 == "b" ? .max(1) : .none }
    recorder.request(.max(1))
    #expect(recorder.marbles == "a--------(bc|)")
    #expect(recorder.overdrawn == 0)
    #expect(
      source.ledger.entries == [
        .requested(.max(1)), .delivered(1), .requested(.max(1)), .delivered(1), .returned(.max(1)),
        .delivered(1),
      ])
  }

  @Test func requestingWhileReceivingDoesNotRecurse() throws {
    let source = try scheduler.cold("(abc|)")
    let recorder = RecordingSubscriber<String, Never>(initialDemand: .max(1), scheduler: scheduler)
    var depth = 0
    recorder.onValue = { _ in
      depth += 1
      #expect(depth == 1)
      recorder.request(.max(1))
      depth -= 1
      return .none
    }
    source.subscribe(recorder)
    scheduler.run()
    #expect(recorder.marbles == "(abc|)")
  }

  @Test func cancellingUnschedulesAndReleases() throws {
    let lifetimes = LifetimeTracker()
    let source = try scheduler.cold("a-b-c|")
    var subscription: (any Subscription)?
    do {
      let token = lifetimes.token()
      let recorder = RecordingSubscriber<String, Never>()
      recorder.onCompletion = { _ in token.keep() }
      source.subscribe(recorder)
      subscription = recorder.subscriptions.first
    }
    scheduler.advance(by: 1)
    #expect(lifetimes.liveCount == 1)
    subscription?.cancel()
    subscription?.cancel()
    subscription?.request(.max(1))
    #expect(lifetimes.liveCount == 0)
    #expect(scheduler.pendingCount == 0)
    #expect(source.subscriptionMarbles == ["^!"])
    #expect(source.ledger.cancelCount == 2)
  }

  @Test func cancellingInReceiveSubscriptionComesInTime() throws {
    let source = try scheduler.cold("(a|)")
    let recorder = RecordingSubscriber<String, Never>(scheduler: scheduler)
    recorder.onSubscription = { $0.cancel() }
    source.subscribe(recorder)
    #expect(scheduler.pendingCount == 0)
    #expect(source.subscriptionMarbles == ["(^!)"])
  }

  @Test func cancellingWhileReceivingIsTheEnd() throws {
    let source = try scheduler.cold("(abc|)")
    let recorder = RecordingSubscriber<String, Never>(scheduler: scheduler)
    recorder.onValue = { value in
      if value == "b" { recorder.cancel() }
      return .none
    }
    source.subscribe(recorder)
    scheduler.run()
    #expect(recorder.marbles == "(ab)")
  }

  // MARK: Hot

  @Test func aHotOneBeginsAtOnce() throws {
    let source = try scheduler.hot("a-b-c-|")
    let early = RecordingSubscriber<String, Never>(scheduler: scheduler)
    source.subscribe(early)
    scheduler.advance(by: 3)
    let late = RecordingSubscriber<String, Never>(scheduler: scheduler)
    source.subscribe(late)
    scheduler.run()
    #expect(early.marbles == "a-b-c-|")
    #expect(late.marbles == "-c-|")
    #expect(scheduler.record(source).marbles == "|")
    #expect(source.subscriptionMarbles == ["^", "---^", "------^"])
  }

  @Test func whatComesBeforeTheBeginningIsOver() throws {
    let source = try scheduler.hot("-x-^-y--z-|")
    #expect(scheduler.record(source).marbles == "--y--z-|")
  }

  @Test func aHotOneLosesWhatIsNotDemanded() throws {
    let source = try scheduler.hot("abcd|")
    let recorder = RecordingSubscriber<String, Never>(initialDemand: .max(1), scheduler: scheduler)
    source.subscribe(recorder)
    scheduler.advance(by: 2)
    recorder.request(.max(1))
    scheduler.run()
    #expect(recorder.marbles == "a--d|")
  }

  @Test func aHotOneSendsToWhoHasNotCancelled() throws {
    let source = try scheduler.hot("a-b-|")
    let (stays, leaves) = (
      RecordingSubscriber<String, Never>(scheduler: scheduler),
      RecordingSubscriber<String, Never>(scheduler: scheduler)
    )
    source.subscribe(stays)
    source.subscribe(leaves)
    scheduler.advance(by: 1)
    leaves.cancel()
    scheduler.run()
    #expect(stays.marbles == "a-b-|")
    #expect(leaves.marbles == "a")
    #expect(source.ledgers.map(\.delivered) == [2, 1])
  }
}
