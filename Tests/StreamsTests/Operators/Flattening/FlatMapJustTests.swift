import Streams
import StreamsTesting
import Testing

/// `flatMap` gives a publisher of one known value, or of an array, no subscriber of its own where it need not; nobody may
/// notice.
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
      Form(testDescription: "Just with a type of failures") {
        $0.flatMap(maxPublishers: $1) { Just($0).setFailureType(to: Never.self) }.subscribe($2)
      },
      Form(testDescription: "an array") {
        $0.flatMap(maxPublishers: $1) { [$0].publisher }.subscribe($2)
      },
      Form(testDescription: "an array with a type of failures") {
        $0.flatMap(maxPublishers: $1) { [$0].publisher.setFailureType(to: Never.self) }.subscribe($2)
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

  enum Act: CaseIterable {
    case cancel, send, finish, fail, sendAndFinish, nothing
  }

  /// Whoever acts at a value, and whatever is demanded, an array is a sequence.
  @Test(arguments: Act.allCases) func anArrayIsASequence(act: Act) {
    for (place, demand) in [0, 10, 11, 12, 20].flatMap({ place in
      [Subscribers.Demand.unlimited, .max(2)].map { (place, $0) }
    }) {
      #expect(
        events(act, at: place, demand) {
          [$0, $0 + 1, $0 + 2].publisher.setFailureType(to: TestFailure.self)
        }
          == events(act, at: place, demand) {
            AnySequence([$0, $0 + 1, $0 + 2]).publisher.setFailureType(to: TestFailure.self)
          })
    }
  }

  private func events(
    _ act: Act, at place: Int, _ demand: Subscribers.Demand,
    _ transform: @escaping (Int) -> some Publisher<Int, TestFailure>
  ) -> [RecordingSubscriber<Int, TestFailure>.Event] {
    let upstream = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: demand)
    recorder.onValue = { [unowned recorder] value in
      guard value == place else { return .max(1) }
      switch act {
      case .cancel: recorder.cancel()
      case .send: upstream.send(30)
      case .finish: upstream.send(completion: .finished)
      case .fail: upstream.send(completion: .failure(TestFailure()))
      case .sendAndFinish:
        upstream.send(30)
        upstream.send(completion: .finished)
      case .nothing: break
      }
      return .max(1)
    }
    upstream.flatMap(transform).subscribe(recorder)
    for value in [0, 10, 20] { upstream.send(value) }
    upstream.send(completion: .finished)
    return recorder.events
  }
}
