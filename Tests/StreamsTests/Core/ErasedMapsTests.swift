import Streams
import StreamsTesting
import Testing

@Suite struct ErasedMapsTests {
  /// Maps in a row, each erased. What they do does not commute.
  private func erasedMaps(
    _ count: Int, after upstream: some Publisher<Int, TestFailure>
  ) -> AnyPublisher<Int, TestFailure> {
    (1...count).reduce(upstream.eraseToAnyPublisher()) { publisher, factor in
      publisher.map { ($0 &* (factor &+ 1)) ^ factor }.eraseToAnyPublisher()
    }
  }

  private func expected(_ count: Int, of value: Int) -> Int {
    (1...count).reduce(value) { ($0 &* ($1 &+ 1)) ^ $1 }
  }

  @Test(arguments: 1...14) func transformInTheirOrder(_ count: Int) {
    let rig = OperatorRig<Int, TestFailure, Int, TestFailure>(demand: .max(2), returning: .max(3)) {
      erasedMaps(count, after: $0)
    }
    #expect(rig.upstream.send(7) == .max(3))
    #expect(rig.upstream.send(batch: Array(0..<100)) == .max(300))
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.values == ([7] + Array(0..<100)).map { expected(count, of: $0) })
    #expect(rig.recorder.completions == [.failure(TestFailure())])
    #expect(rig.requests == [.max(2)])
  }

  /// Several would each transform a whole batch before the next one does.
  @Test func areOneOperator() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    var calls: [String] = []
    upstream.eraseToAnyPublisher().map { value in
      calls.append("a\(value)")
      return value
    }.eraseToAnyPublisher().map { value in
      calls.append("b\(value)")
      return value
    }.eraseToAnyPublisher().subscribe(recorder)
    upstream.send(batch: [1, 2])
    #expect(calls == ["a1", "b1", "a2", "b2"])
    #expect(recorder.batchSizes == [2])
  }

  @Test func standForThemselvesWhenOthersFollow() {
    let subject = PassthroughSubject<Int, Never>()
    let first = subject.map { $0 + 1 }.eraseToAnyPublisher()
    let doubled = first.map { $0 * 2 }.eraseToAnyPublisher()
    let squared = first.map { $0 * $0 }.eraseToAnyPublisher()
    let longer = doubled.map { $0 - 1 }.eraseToAnyPublisher().map { -$0 }.eraseToAnyPublisher()
    var seen: [[Int]] = Array(repeating: [], count: 4)
    let cancellables = [first, doubled, squared, longer].enumerated().map { index, publisher in
      publisher.sink { seen[index].append($0) }
    }
    withExtendedLifetime(cancellables) {
      subject.send(2)
      subject.send(4)
    }
    #expect(seen == [[3, 5], [6, 10], [9, 25], [-5, -9]])
  }

  @Test func workBetweenMapsOfOtherTypes() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<String, TestFailure>()
    upstream.map { $0 + 1 }.eraseToAnyPublisher().map { "\($0)" }.eraseToAnyPublisher()
      .map { $0 + "!" }.eraseToAnyPublisher().map { $0 + "?" }.eraseToAnyPublisher()
      .filter { $0 != "3!?" }.eraseToAnyPublisher().map { $0 + "." }.eraseToAnyPublisher()
      .subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    #expect(recorder.values == ["2!?.", "4!?."])
  }

  @Test func transformASingleValue() {
    let recorder = RecordingSubscriber<Int, Never>()
    Just(1).eraseToAnyPublisher().map { $0 + 1 }.eraseToAnyPublisher().map { $0 * 10 }.eraseToAnyPublisher()
      .subscribe(recorder)
    #expect(recorder.values == [20])
    #expect(recorder.completions == [.finished])
  }

  @Test func subscribeAnewForEachSubscriber() {
    let upstream = TestPublisher<Int, TestFailure>()
    let publisher = erasedMaps(3, after: upstream)
    for _ in 0..<3 { publisher.subscribe(RecordingSubscriber<Int, TestFailure>()) }
    #expect(upstream.subscribers.count == 3)
  }

  @Test func releaseTheirClosuresAtTheEnd() {
    expectReleasesClosures { subject, token in
      (0..<6).reduce(subject.eraseToAnyPublisher()) { publisher, _ in
        publisher.map { value in
          token.keep()
          return value
        }.eraseToAnyPublisher()
      }
    }
  }

  @Test func areManyInARow() {
    let subject = PassthroughSubject<Int, Never>()
    var publisher = subject.eraseToAnyPublisher()
    for _ in 0..<2000 { publisher = publisher.map { $0 + 1 }.eraseToAnyPublisher() }
    var sum = 0
    let cancellable = publisher.sink { sum += $0 }
    withExtendedLifetime(cancellable) { subject.send(1) }
    #expect(sum == 2001)
  }
}
