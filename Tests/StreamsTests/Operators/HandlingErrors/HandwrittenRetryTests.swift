import Streams
import StreamsTesting
import TestThreads
import Testing

/// A retry made of catch: each attempt is the replacement of the one before.
@Suite struct HandwrittenRetryTests {
  typealias Recorder = RecordingSubscriber<Int, any Error>

  enum Kind: CaseIterable { case `catch`, tryCatch }

  private func attempt(
    _ kind: Kind, left: Int, _ source: @escaping () -> AnyPublisher<Int, any Error>
  ) -> AnyPublisher<Int, any Error> {
    if left == 0 { return source() }
    return switch kind {
    case .catch: source().catch { _ in attempt(kind, left: left - 1, source) }.eraseToAnyPublisher()
    case .tryCatch: source().tryCatch { _ in attempt(kind, left: left - 1, source) }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: Kind.allCases)
  func attemptsThatFailAtOnceLoop(_ kind: Kind) {
    var count = 0
    let recorder = Recorder()
    onStack(ofKilobytes: 512) {
      attempt(kind, left: 5_000) {
        count += 1
        return Fail<Int, any Error>(error: TestFailure()).eraseToAnyPublisher()
      }.subscribe(recorder)
    }
    #expect(count == 5_001)
    #expect(recorder.events.map(\.kind) == ["subscription", "failure"])
  }

  @Test(arguments: Kind.allCases)
  func demandIsCarriedOverAllAttempts(_ kind: Kind) {
    let recorder = Recorder(initialDemand: .max(3)) { $0 % 2 == 0 ? .max(1) : .none }
    var count = 0
    onStack(ofKilobytes: 512) {
      attempt(kind, left: 100) {
        count += 1
        return [count].publisher.setFailureType(to: (any Error).self)
          .append(Fail<Int, any Error>(error: TestFailure())).eraseToAnyPublisher()
      }.subscribe(recorder)
    }
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.overdrawn == 0)
    #expect(count == 6)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3, 4, 5, 6, 7])
    recorder.cancel()
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func attemptsThatFailLaterKeepNothing(_ kind: Kind) {
    let lifetimes = LifetimeTracker()
    let recorder = Recorder(initialDemand: .max(50))
    var current = PassthroughSubject<Int, any Error>()
    attempt(kind, left: 1_000) {
      let token = lifetimes.token()
      current = PassthroughSubject()
      return current.map { value in
        token.keep()
        return value
      }.eraseToAnyPublisher()
    }.subscribe(recorder)
    for value in 0..<500 {
      current.send(value)
      current.send(completion: .failure(TestFailure()))
    }
    #expect(recorder.values == Array(0..<50))
    #expect(lifetimes.liveCount <= 2)
    recorder.cancel()
    let last = current
    current.send(completion: .failure(TestFailure()))
    #expect(current === last)
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func theLastFailurePasses(_ kind: Kind) {
    let recorder = Recorder()
    var current = PassthroughSubject<Int, any Error>()
    attempt(kind, left: 3) {
      current = PassthroughSubject()
      return current.eraseToAnyPublisher()
    }.subscribe(recorder)
    for value in 0..<4 {
      current.send(value)
      current.send(completion: .failure(TestFailure()))
    }
    #expect(recorder.values == [0, 1, 2, 3])
    #expect(recorder.failure is TestFailure)
  }

  @Test func aHandlerThatThrowsFailsTheWhole() {
    let recorder = Recorder()
    func attempt(_ left: Int) -> AnyPublisher<Int, any Error> {
      Fail<Int, any Error>(error: TestFailure()).tryCatch { error in
        if left == 0 { throw error }
        return attempt(left - 1)
      }.eraseToAnyPublisher()
    }
    attempt(3).subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", "failure"])
  }

  @Test(arguments: Kind.allCases)
  func aCancellationStopsTheLoop(_ kind: Kind) {
    let recorder = Recorder()
    var count = 0
    attempt(kind, left: 100) {
      count += 1
      if count == 5 { recorder.cancel() }
      return Fail<Int, any Error>(error: TestFailure()).eraseToAnyPublisher()
    }.subscribe(recorder)
    #expect(count == 5)
    #expect(recorder.completions.isEmpty)
  }
}
