import Streams
import StreamsTesting
import Testing

/// What tryCatch does beyond catch; what they have in common is among the tests of catch.
@Suite struct TryCatchTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, any Error>

  @Test func aHandlerThatThrowsFailsTheStream() {
    struct Other: Error {}
    let source = Source()
    let recorder = Recorder()
    var handled = 0
    source.tryCatch { _ -> Just<Int> in
      handled += 1
      throw Other()
    }.subscribe(recorder)
    source.send(completion: .failure(TestFailure()))
    source.send(1)
    source.send(completion: .failure(TestFailure()))
    source.send(completion: .finished)
    #expect(recorder.events.map { "\($0)" } == ["subscription(TryCatch)", "failure(Other())", "value(1)"])
    #expect(handled == 1)
    #expect(source.ledger.requests == [.unlimited])
  }

  @Test func theReplacementMayFailWithAnotherError() {
    struct Other: Error {}
    let (source, replacement) = (Source(), TestPublisher<Int, Other>())
    let recorder = Recorder(initialDemand: .max(3))
    source.tryCatch { _ in replacement }.subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(TestFailure()))
    #expect(replacement.ledger.requests == [.max(2)])
    replacement.send(completion: .failure(Other()))
    #expect(recorder.values == [1])
    #expect(recorder.failure is Other)
  }

  @Test func theHandlerIsGivenTheError() throws {
    let recorder = RecordingSubscriber<String, any Error>()
    let source = TestPublisher<String, TestFailure>()
    source.tryCatch { Just("\($0)") }.subscribe(recorder)
    source.send(completion: .failure(TestFailure()))
    #expect(recorder.values == ["failure"])
    #expect(recorder.events.last?.kind == "finished")
  }

  @Test func releasesItsHandlerWhenItThrows() {
    let lifetimes = LifetimeTracker()
    let source = PassthroughSubject<Int, TestFailure>()
    var cancellable: AnyCancellable?
    do {
      let token = lifetimes.token()
      cancellable = source.tryCatch { error -> Empty<Int, Never> in
        token.keep()
        throw error
      }.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    #expect(lifetimes.liveCount == 1)
    source.send(completion: .failure(TestFailure()))
    #expect(lifetimes.liveCount == 0)
    cancellable?.cancel()
  }

  @Test func failingInsideTheHandlerTraps() async {
    await #expect(processExitsWith: .failure) {
      let source = TestPublisher<Int, TestFailure>()
      source.tryCatch { _ in
        source.send(completion: .failure(TestFailure()))
        return Just(1)
      }.subscribe(RecordingSubscriber<Int, any Error>())
      source.send(completion: .failure(TestFailure()))
    }
  }
}
