import StreamsTesting
import Testing

@testable import Streams

@Suite struct BatchTests {
  private let recorder = RecordingSubscriber<Int, Never>()
  private let values = Array(1...200)

  private func map(_ transform: (Int) -> Int) -> Subscribers.Demand {
    values.withUnsafeBufferPointer { Downstream(recorder).receive(mapping: $0, transform) }
  }

  private func compactMap(_ transform: (Int) -> Int?) -> Subscribers.Demand {
    values.withUnsafeBufferPointer {
      Downstream(recorder).receive(compactMapping: $0, dropped: .max(1), transform)
    }
  }

  @Test func passesResultsOnInBatches() {
    recorder.onValue = { $0.isMultiple(of: 100) ? .max(1) : .none }
    #expect(map { $0 * 2 } == .max(4))
    #expect(recorder.values == values.map { $0 * 2 })
    #expect(recorder.batchSizes == [64, 64, 64, 8])
  }

  @Test func whatAClosureSendsItselfComesAfterTheResultsBeforeIt() {
    let subject = PassthroughSubject<Int, Never>()
    subject.map { value in
      if value == 66 { subject.send(0) }
      return value
    }.subscribe(recorder)
    values.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.values == Array(1...65) + [0] + Array(66...200))
  }

  /// Sends 1 to 5 as an array through a closure that calls `act` for 3, and merges what comes with `other`.
  private func joined(_ other: some Publisher<Int, Never>, _ act: @escaping () -> Void) -> [Int] {
    let subject = PassthroughSubject<Int, Never>()
    subject.map { value in
      if value == 3 { act() }
      return value
    }.merge(with: other).subscribe(recorder)
    values.prefix(5).withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    return recorder.values
  }

  @Test func whatAClosureSendsToAnotherSubjectComesAfterTheResultsBeforeIt() {
    let other = PassthroughSubject<Int, Never>()
    #expect(joined(other) { other.send(100) } == [1, 2, 100, 3, 4, 5])
  }

  @Test func whatAClosureSetsComesAfterTheResultsBeforeIt() {
    let other = CurrentValueSubject<Int, Never>(0)
    #expect(joined(other) { other.value = 100 } == [0, 1, 2, 100, 3, 4, 5])
  }

  @Test func whatAClosurePromisesComesAfterTheResultsBeforeIt() {
    var promise: ((Result<Int, Never>) -> Void)?
    let future = Future<Int, Never> { promise = $0 }
    #expect(joined(future) { promise?(.success(100)) } == [1, 2, 100, 3, 4, 5])
  }

  @Test func whatAClosureReadsComesAfterTheResultsBeforeIt() {
    let subject = PassthroughSubject<Int, Never>()
    let latest = CurrentValueSubject<Int, Never>(0)
    let cancellable = subject.map { value in
      if value == 3 { latest.value += 100 }
      return value
    }.sink { latest.send($0) }
    latest.subscribe(recorder)
    values.prefix(4).withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.values == [0, 1, 2, 102, 3, 4])
    cancellable.cancel()
  }

  @Test(arguments: [true, false])
  func nothingFollowsAFailureThatTheResultsBeforeLeadTo(isFromASequence: Bool) {
    let subject = PassthroughSubject<Int, any Error>()
    let other = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, any Error>()
    let sequence = values.publisher.setFailureType(to: (any Error).self)
    let source = isFromASequence ? sequence.eraseToAnyPublisher() : subject.eraseToAnyPublisher()
    source.map { value in
      if value == 4 { other.send(0) }
      return value
    }.filter { _ in true }
      .tryMap { value in
        if value.isMultiple(of: 2) { throw CancellationError() }
        return value
      }.subscribe(recorder)
    values.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.events.map(\.kind) == ["subscription", "value", "failure"])
  }

  @Test func whatAClosureCancelsHasHadTheResultsBeforeIt() {
    let subject = PassthroughSubject<Int, Never>()
    var cancellable: AnyCancellable?
    var heard: [Int] = []
    cancellable = subject.filter { value in
      if value == 66 { cancellable?.cancel() }
      return true
    }.share().sink { heard.append($0) }
    values.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(heard == Array(1...65))
  }

  @Test func whatAClosureCancelsAtAnOperatorHasHadTheResultsBeforeIt() {
    let subject = PassthroughSubject<Int, Never>()
    subject.map { [recorder] value in
      if value == 66 { recorder.cancel() }
      return value
    }.retry(1).subscribe(recorder)
    values.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.values == Array(1...65))
  }

  @Test func aSubjectThatAClosureCompletesHasSentTheResultsBeforeThat() {
    let subject = PassthroughSubject<Int, Never>()
    let relay = PassthroughSubject<Int, Never>()
    relay.subscribe(recorder)
    let cancellable = subject.map { value in
      if value == 66 { relay.send(completion: .finished) }
      return value
    }.subscribe(relay)
    values.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.values == Array(1...65))
    withExtendedLifetime(cancellable) {}
  }

  @Test func whoSubscribesFromAClosureGetsTheResultsFromThatOn() {
    let subject = PassthroughSubject<Int, Never>()
    let relay = PassthroughSubject<Int, Never>()
    let other = relay.sink { _ in }
    let cancellable = subject.map { [recorder] value in
      if value == 66 { relay.subscribe(recorder) }
      return value
    }.subscribe(relay)
    values.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.values == Array(66...200))
    withExtendedLifetime((cancellable, other)) {}
  }

  @Test func whoSubscribesWhenAClosureThrowsGetsTheValuesAfterThat() {
    let subject = PassthroughSubject<Int, Never>()
    let checked = subject.tryMap { value in
      if value == 71 { throw TestFailure() }
      return value
    }
    var cancellables: [AnyCancellable] = []
    var heard: [Int] = []
    checked.sink(
      receiveCompletion: { _ in
        checked.sink(receiveCompletion: { _ in }, receiveValue: { heard.append($0) }).store(in: &cancellables)
      }, receiveValue: { _ in }
    ).store(in: &cancellables)
    values.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(heard == Array(72...200))
  }

  @Test func returnsDemandForWhatIsDropped() {
    #expect(compactMap { $0 > 190 ? $0 : nil } == .max(190))
    #expect(recorder.values == Array(191...200))
    #expect(recorder.batchSizes == [10])
    #expect(compactMap { _ in nil } == .max(200))
    #expect(recorder.batchSizes == [10])
  }

  @Test func deliversWhatCameBeforeAnError() {
    var countAtFailure = 0
    _ = values.withUnsafeBufferPointer { batch in
      Downstream(recorder).receive(compactMapping: batch, dropped: .max(1)) { value in
        if value == 71 { throw TestFailure() }
        return value
      } fail: { error in
        #expect(error as? TestFailure == TestFailure())
        countAtFailure = recorder.values.count
      }
    }
    #expect(countAtFailure == 70)
    #expect(recorder.values == Array(1...70))
    #expect(recorder.batchSizes == [64, 6])
  }

  @Test func letsGoOfItsResults() {
    let lifetimes = LifetimeTracker()
    let recorder = RecordingSubscriber<Int, Never>()
    let sink = Subscribers.Sink<LifetimeToken, Never>(receiveCompletion: { _ in }) { _ in
      _ = recorder.receive(lifetimes.liveCount)
    }
    _ = values.withUnsafeBufferPointer { batch in
      Downstream(sink).receive(mapping: batch) { _ in lifetimes.token() }
    }
    #expect(recorder.values.max() == 64)
    #expect(lifetimes.liveCount == 0)
  }

  /// The results are released when all of them have been delivered.
  @Test(arguments: [1, 2, 4]) func whoSubscribesWhenAResultIsReleasedComesAfterTheArray(_ number: Int) {
    let subject = PassthroughSubject<Int, Never>()
    let results = subject.filter { $0 < 9 }.compactMap { $0 }
    var heard: [Int] = []
    var other: AnyCancellable?
    let cancellable = results.map { value in
      LifetimeToken { if value == number { other = results.sink { heard.append($0) } } }
    }.sink { _ in }
    [1, 2, 3, 4].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(heard == [] && other != nil)
    subject.send(5)
    #expect(heard == [5])
    withExtendedLifetime(cancellable) {}
  }

  @Test func oneValueIsABatchOfOne() {
    let value = 7
    let count = withUnsafePointer(to: value) { one($0).count }
    #expect(count == 1)
    #expect(Downstream(recorder).receive(value) == .none)
    #expect(recorder.values == [7] && recorder.batchSizes == [1])
  }
}
