import Streams
import StreamsTesting
import Testing

@Suite struct ObservableObjectPublisherTests {
  let publisher = ObservableObjectPublisher()

  func count(_ recorder: RecordingSubscriber<Void, Never>) -> Int { recorder.batchSizes.reduce(0, +) }

  @Test func ignoresDemand() {
    let recorder = RecordingSubscriber<Void, Never>(initialDemand: .none)
    publisher.subscribe(recorder)
    publisher.send()
    #expect(count(recorder) == 0)
    recorder.request(.none)
    publisher.send()
    publisher.send()
    #expect(count(recorder) == 2)
    recorder.cancel()
    publisher.send()
    #expect(count(recorder) == 2)
  }

  /// Changes come without regard to demand, also while a loop is busy with the last one.
  @Test func aLoopThatIsBusyMissesChanges() async {
    nonisolated(unsafe) let changes = ObservableObjectPublisher()
    let others = Task {
      while !Task.isCancelled {
        changes.send()
        await Task.yield()
      }
    }
    var count = 0
    for await _ in changes.values {
      for _ in 0..<2 { changes.send() }
      count += 1
      if count == 3 { break }
    }
    others.cancel()
    #expect(count == 3)
  }

  /// Operators that trap when more comes than they were asked for get no more than that from a buffer.
  @Test func aBufferKeepsToTheDemandOfWhatFollows() {
    let changes = publisher.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
    let fallible = changes.setFailureType(to: TestFailure.self)
    let others = PassthroughSubject<Void, Never>()
    let chains: [AnyPublisher<Void, Never>] = [
      fallible.catch { _ in Empty() }.eraseToAnyPublisher(),
      fallible.tryCatch { _ in Empty<Void, Never>() }.assertNoFailure().eraseToAnyPublisher(),
      fallible.retry(1).assertNoFailure().eraseToAnyPublisher(),
      fallible.replaceError(with: ()).eraseToAnyPublisher(),
      Just(changes).switchToLatest().eraseToAnyPublisher(),
      changes.drop(untilOutputFrom: others).eraseToAnyPublisher(),
    ]
    let recorders = chains.map { chain in
      let recorder = RecordingSubscriber<Void, Never>(initialDemand: .max(1))
      chain.subscribe(recorder)
      return recorder
    }
    for _ in 0..<3 { publisher.send() }
    #expect(recorders.map(count) == [1, 1, 1, 1, 1, 0])
    others.send()
    for recorder in recorders { recorder.request(.max(1)) }
    publisher.send()
    #expect(recorders.map(count) == [2, 2, 2, 2, 2, 1])
  }

  @Test func releasesItsSubscribersAtItsEnd() {
    let lifetimes = LifetimeTracker()
    do {
      let publisher = ObservableObjectPublisher()
      let sink = Subscribers.Sink<Void, Never>(
        receiveCompletion: { _ in }, receiveValue: { [token = lifetimes.token()] in token.keep() })
      publisher.subscribe(sink)
      publisher.send()
      #expect(lifetimes.liveCount == 1)
    }
    #expect(lifetimes.liveCount == 0)
  }

  @Test func describesItsSubscriptions() throws {
    let recorder = RecordingSubscriber<Void, Never>()
    publisher.subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect(String(describing: subscription) == "ObservableObjectPublisher")
    #expect(Mirror(reflecting: subscription).children.map(\.label) == ["downstream"])
  }

  @Test func sendsToAllInOrder() {
    var log: [String] = []
    let cancellables = ["a", "b"].map { name in publisher.sink { log.append(name) } }
    publisher.send()
    cancellables[0].cancel()
    publisher.send()
    #expect(log == ["a", "b", "b"])
    withExtendedLifetime(cancellables) {}
  }

  /// What is sent from within a signal reaches everybody as well.
  @Test func sendsFromWithinASignal() {
    var count = 0
    let first = publisher.sink { [publisher] in
      count += 1
      if count == 1 { publisher.send() }
    }
    let recorder = RecordingSubscriber<Void, Never>()
    publisher.subscribe(recorder)
    publisher.send()
    #expect(count == 2)
    #expect(self.count(recorder) == 2)
    first.cancel()
  }

  @Test func cancellingFromWithinASignalIsTheEnd() {
    var count = 0
    var cancellable: AnyCancellable?
    cancellable = publisher.sink {
      count += 1
      cancellable?.cancel()
    }
    publisher.send()
    publisher.send()
    #expect(count == 1)
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<100 {
      let recorder = RecordingSubscriber<Void, Never>()
      publisher.subscribe(recorder)
      race(
        { for _ in 0..<50 { publisher.send() } }, { for _ in 0..<50 { publisher.send() } },
        { recorder.cancel() })
      #expect(recorder.overlapCount == 0)
      let final = count(recorder)
      publisher.send()
      #expect(count(recorder) == final)
    }
  }
}
