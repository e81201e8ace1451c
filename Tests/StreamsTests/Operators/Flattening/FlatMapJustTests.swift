import Streams
import StreamsTesting
import Testing

/// `flatMap` gives a publisher of one known value no subscriber of its own where it need not; nobody may notice.
@Suite struct FlatMapJustTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  /// A flatMap of one form of such a publisher.
  struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let attach: @Sendable (TestPublisher<Int, Never>, Subscribers.Demand, Recorder) -> Void

    static let all = [
      Form(testDescription: "Just") { $0.flatMap(maxPublishers: $1) { Just($0) }.subscribe($2) },
      Form(testDescription: "Just, erased") {
        $0.flatMap(maxPublishers: $1) { Just($0).eraseToAnyPublisher() }.subscribe($2)
      },
      Form(testDescription: "Result.Publisher") {
        $0.flatMap(maxPublishers: $1) { Result<Int, Never>.Publisher($0) }.subscribe($2)
      },
      Form(testDescription: "Result.Publisher, erased") {
        $0.flatMap(maxPublishers: $1) { Just($0).setFailureType(to: Never.self).eraseToAnyPublisher() }
          .subscribe($2)
      },
      Form(testDescription: "a sequence of one") {
        $0.flatMap(maxPublishers: $1) { CollectionOfOne($0).publisher }.subscribe($2)
      },
    ]
  }

  let upstream = TestPublisher<Int, Never>()

  @Test(arguments: Form.all) func asksForAnotherPublisherAfterEach(form: Form) {
    form.attach(upstream, .max(2), Recorder())
    #expect(upstream.send(1) == .none)
    #expect(upstream.ledger.requests == [.max(2), .max(1)])
    upstream.send(completion: .finished)
    #expect(upstream.ledger.requests == [.max(2), .max(1)])
  }

  @Test(arguments: Form.all) func finishesWithItsUpstream(form: Form) {
    let recorder = Recorder()
    form.attach(upstream, .unlimited, recorder)
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .completion(.finished)])
  }

  @Test(arguments: Form.all) func aFinishWithinAValueComesAfterIt(form: Form) {
    let recorder = Recorder()
    recorder.onValue = { [upstream, unowned recorder] _ in
      upstream.send(completion: .finished)
      #expect(recorder.completions.isEmpty)
      return .none
    }
    form.attach(upstream, .max(1), recorder)
    upstream.send(1)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .completion(.finished)])
    #expect(upstream.ledger.requests == [.max(1)])
  }

  @Test(arguments: Form.all) func limitedDemandCounts(form: Form) {
    let recorder = Recorder(initialDemand: .max(1))
    form.attach(upstream, .unlimited, recorder)
    for value in 1...3 { upstream.send(value) }
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    #expect(recorder.overdrawn == 0)
  }

  @Test(arguments: Form.all) func nothingComesAfterTheCancellation(form: Form) {
    let recorder = Recorder()
    recorder.onValue = { [upstream, unowned recorder] _ in
      recorder.cancel()
      upstream.send(2)
      return .none
    }
    form.attach(upstream, .max(1), recorder)
    upstream.send(1)
    upstream.send(3)
    #expect(recorder.values == [1])
    #expect(upstream.ledger.entries.filter { $0 != .delivered(1) } == [.requested(.max(1)), .cancelled])
  }
}
