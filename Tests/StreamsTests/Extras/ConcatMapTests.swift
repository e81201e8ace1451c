import Observation
import StreamsExtras
import StreamsProperty
import StreamsTesting
import Testing

@testable import Streams

@Suite struct ConcatMapTests {
  @Test func onePublisherAtATimeInOrder() {
    let (upstream, inner) = (
      TestPublisher<Int, Never>(), (0..<2).map { _ in PassthroughSubject<String, Never>() }
    )
    let recorder = RecordingSubscriber<String, Never>()
    upstream.concatMap { inner[$0] }.subscribe(recorder)
    #expect(upstream.ledger.requests == [.max(1), .unlimited])
    upstream.send(0)
    upstream.send(1)
    upstream.send(completion: .finished)
    inner[1].send("nobody's")
    inner[0].send("a")
    inner[0].send(completion: .finished)
    inner[1].send("b")
    #expect(recorder.values == ["a", "b"] && recorder.completions.isEmpty)
    inner[1].send(completion: .finished)
    #expect(recorder.completions == [.finished] && upstream.ledger.requests == [.max(1), .unlimited])
  }

  @Test func withLimitedDemandOneIsAskedForAtATime() {
    let (upstream, inner) = (TestPublisher<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(9))
    upstream.concatMap { _ in inner }.subscribe(recorder)
    upstream.send(0)
    inner.send(1)
    #expect(upstream.ledger.requests == [.max(1)])
    recorder.request(.unlimited)
    #expect(upstream.ledger.requests == [.max(1), .unlimited])
  }

  /// The numbers from 0 on, each of which is noted when it is made.
  private func endless(_ note: @escaping () -> Void) -> some Sequence<Int> {
    sequence(first: 0) { $0 + 1 }.lazy.map { value in
      note()
      return value
    }
  }

  @Test func anEndlessSequenceIsNotDrained() {
    var count = 0
    let endless = endless { count += 1 }
    let recorder = RecordingSubscriber<Int, Never>()
    endless.publisher.concatMap { [$0, $0].publisher }.prefix(5).subscribe(recorder)
    #expect(recorder.values == [0, 0, 1, 1, 2] && recorder.completions == [.finished])
    let inner = PassthroughSubject<Int, Never>()
    let before = count
    let cancellable = endless.publisher.concatMap { _ in inner }.sink { _ in }
    // A sequence is always one ahead.
    #expect(count - before == 2)
    withExtendedLifetime(cancellable) {}
  }

  @Test func aSubjectBehindOtherValuesLosesNothing() {
    let subject = PassthroughSubject<Int, Never>()
    let prefixes: [AnyPublisher<Int, Never>] = [
      subject.prepend([8, 9]).eraseToAnyPublisher(),
      subject.prepend([8, 9].publisher).map { $0 }.eraseToAnyPublisher(),
      [8].publisher.append(9).append(subject).eraseToAnyPublisher(),
      subject.prepend(9).prepend(8).eraseToAnyPublisher(),
    ]
    for upstream in prefixes {
      let inner = PassthroughSubject<Int, Never>()
      let recorder = RecordingSubscriber<Int, Never>()
      var begun = 0
      upstream.concatMap { value in
        begun += 1
        return inner.first().map { _ in value }
      }.subscribe(recorder)
      for value in 0..<4 { subject.send(value) }
      while begun > recorder.values.count { inner.send(0) }
      #expect(recorder.values == [8, 9, 0, 1, 2, 3])
    }
  }

  private final class Model: ObservableObject {
    @Published var number = 0
  }

  @Observable final class Observed {
    var number = 0
  }

  /// They answer a request at once, but send whenever they change.
  @Test func whatHasAValueLosesNone() {
    let (subject, model, observed) = (CurrentValueSubject<Int, Never>(0), Model(), Observed())
    var variable = 0
    let binding = Binding(get: { variable }, set: { variable = $0 })
    let sources: [(publisher: AnyPublisher<Int, Never>, set: (Int) -> Void)] = [
      (subject.eraseToAnyPublisher(), { subject.value = $0 }),
      (model.$number.eraseToAnyPublisher(), { model.number = $0 }),
      (observed.publisher(for: \.number).eraseToAnyPublisher(), { observed.number = $0 }),
      (Property(subject).allValues.eraseToAnyPublisher(), { subject.value = $0 }),
      (Property(subject).map { $0 }.allValues.eraseToAnyPublisher(), { subject.value = $0 }),
      (binding.values.eraseToAnyPublisher(), { binding.wrappedValue = $0 }),
    ]
    for (publisher, set) in sources {
      let clock = VirtualTimeScheduler()
      var values: [Int] = []
      set(0)
      let cancellable = publisher.concatMap { Just($0).delay(for: 1, scheduler: clock) }.sink {
        values.append($0)
      }
      for number in 1...4 { set(number) }
      clock.run()
      #expect(values == [0, 1, 2, 3, 4])
      withExtendedLifetime(cancellable) {}
    }
  }

  /// The first one learns that everything is demanded after it has asked.
  @Test func aSubjectBehindOtherValuesAndTwoConcatMapsLosesNothing() {
    let (subject, clock) = (PassthroughSubject<Int, Never>(), VirtualTimeScheduler())
    let recorder = RecordingSubscriber<Int, Never>()
    subject.prepend(8, 9)
      .concatMap { Just($0).delay(for: 1, scheduler: clock) }
      .concatMap { Just($0).delay(for: 1, scheduler: clock) }
      .subscribe(recorder)
    for value in 0..<4 { subject.send(value) }
    clock.run()
    #expect(recorder.values == [8, 9, 0, 1, 2, 3])
  }

  /// A subject that is not this library's is known only by what it does not answer.
  @Test(arguments: [[], [8], [8, 9]]) func anotherUpstreamBehindOtherValuesIsAskedForEverything(
    _ prefix: [Int]
  ) {
    let (upstream, inner) = (TestPublisher<Int, Never>(), PassthroughSubject<Int, Never>())
    let cancellable = upstream.prepend(prefix).concatMap { _ in inner }.sink { _ in }
    #expect(upstream.ledger.requests.contains(.unlimited))
    withExtendedLifetime(cancellable) {}
  }

  @Test func anEndlessSequenceBehindOtherValuesIsNotDrained() {
    var count = 0
    let endless = endless { count += 1 }
    let recorder = RecordingSubscriber<Int, Never>()
    endless.publisher.prepend([8, 9]).concatMap { [$0, $0].publisher }.prefix(600).subscribe(recorder)
    #expect(recorder.values.prefix(6) == [8, 8, 9, 9, 0, 0] && recorder.completions == [.finished])
    #expect(count <= 600)
  }

  @Test func whatWaitsTakesNoStack() {
    let (subject, first) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = RecordingSubscriber<Int, Never>()
    subject.concatMap { $0 == 0 ? first.eraseToAnyPublisher() : [$0].publisher.eraseToAnyPublisher() }
      .subscribe(recorder)
    for value in 0..<100_000 { subject.send(value) }
    subject.send(completion: .finished)
    first.send(completion: .finished)
    #expect(recorder.values == Array(1..<100_000) && recorder.completions == [.finished])
  }

  @Test func whatWaitsIsLetGoOfAtTheEnd() {
    for ends in [true, false] {
      let (subject, inner) = (
        PassthroughSubject<Marker, TestFailure>(), PassthroughSubject<Int, TestFailure>()
      )
      let cancellable = subject.concatMap { _ in inner }.sink(receiveCompletion: { _ in }) { _ in }
      weak var waiting: Marker?
      subject.send(Marker())
      ({
        let marker = Marker()
        waiting = marker
        subject.send(marker)
      })()
      #expect(waiting != nil)
      if ends { inner.send(completion: .failure(TestFailure())) } else { cancellable.cancel() }
      #expect(waiting == nil)
    }
  }

  private final class Marker {}

  @Test func aFailureOfAPublisherCancelsTheUpstream() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    upstream.concatMap { _ in Fail<Int, TestFailure>(error: TestFailure()) }.subscribe(recorder)
    upstream.send(1)
    #expect(recorder.completions == [.failure(TestFailure())] && upstream.ledger.isCancelled)
  }

  @Test func demandIsKeptAndAFailureEnds() {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(3))
    [1, 2].publisher.setFailureType(to: TestFailure.self).concatMap { value in
      [value, value].publisher.setFailureType(to: TestFailure.self).append(Fail(error: TestFailure()))
    }.subscribe(recorder)
    #expect(recorder.values == [1, 1] && recorder.completions == [.failure(TestFailure())])
  }
}
