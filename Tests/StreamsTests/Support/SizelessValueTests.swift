import StreamsTesting
import Testing

@testable import Streams

/// Values that take no room, such as `()`: nothing may depend on where they are.
@Suite struct SizelessValueTests {
  struct Nothing: Equatable {}

  @Test func aBatchOfOneHasAnAddressEvenIfItsValueHasNone() {
    let null: UnsafePointer<Nothing>? = nil
    let batch = one(unsafeBitCast(null, to: UnsafePointer<Nothing>.self))
    #expect(batch.baseAddress != nil)
    #expect(Array(batch) == [Nothing()])
  }

  @Test func aBatchOfOneIsWhereItsValueIs() {
    withUnsafePointer(to: 7) { #expect(one($0).baseAddress == $0) }
  }

  @Test func subjectsSendThem() {
    let passthrough = PassthroughSubject<Void, Never>()
    let current = CurrentValueSubject<Nothing, Never>(Nothing())
    var count = 0
    let cancellables = [passthrough.sink { count += 1 }, current.sink { _ in count += 1 }]
    passthrough.send()
    passthrough.send(())
    current.send(Nothing())
    current.value = Nothing()
    #expect(count == 5)
    withExtendedLifetime(cancellables) {}
  }

  @Test func onlyAsManyAsAreDemandedAreSent() {
    let subject = PassthroughSubject<Nothing, Never>()
    let recorder = RecordingSubscriber<Nothing, Never>(initialDemand: .max(2))
    subject.subscribe(recorder)
    for _ in 0..<3 { subject.send(Nothing()) }
    Array(repeating: Nothing(), count: 3).withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.values.count == 2)
    recorder.request(.max(2))
    Array(repeating: Nothing(), count: 3).withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.values.count == 4)
  }

  @Test func stepsPassThemOn() throws {
    let subject = PassthroughSubject<Void, TestFailure>()
    var count = 0
    let cancellable =
      subject
      .map { _ in }.tryMap { _ in }.filter { _ in true }.tryFilter { _ in true }
      .compactMap { _ in Optional(()) }.tryCompactMap { _ in Optional(()) }
      .scan(()) { _, _ in }.tryScan(()) { _, _ in }.removeDuplicates { _, _ in false }
      .handleEvents(receiveOutput: { _ in count += 1 }).dropFirst().prefix(while: { _ in true })
      .replaceError(with: ()).output(in: 0...).setFailureType(to: TestFailure.self).share()
      .sink(receiveCompletion: { _ in count += 100 }, receiveValue: { _ in count += 10 })
    for _ in 0..<3 { subject.send() }
    subject.send(completion: .finished)
    #expect(count == 123)
    withExtendedLifetime(cancellable) {}
  }

  @Test func operatorsWithSeveralSourcesPassThemOn() {
    let first = PassthroughSubject<Void, Never>()
    let second = PassthroughSubject<Void, Never>()
    var counts = [0, 0, 0, 0, 0, 0]
    let cancellables = [
      first.merge(with: second).sink { counts[0] += 1 },
      first.zip(second).sink { _ in counts[1] += 1 },
      first.combineLatest(second).sink { _ in counts[2] += 1 },
      first.flatMap { Just(()).append(()) }.sink { counts[3] += 1 },
      first.map { second }.switchToLatest().sink { counts[4] += 1 },
      first.prefix(untilOutputFrom: second).append(second).sink { counts[5] += 1 },
    ]
    for subject in [first, first, second, second] { subject.send() }
    #expect(counts == [4, 2, 2, 4, 2, 3])
    withExtendedLifetime(cancellables) {}
  }

  @Test func timedOperatorsPassThemOn() {
    let clock = VirtualTimeScheduler()
    let subject = PassthroughSubject<Void, Never>()
    var count = 0
    let cancellable =
      subject
      .receive(on: clock).delay(for: 1, scheduler: clock).debounce(for: 1, scheduler: clock)
      .throttle(for: 1, scheduler: clock, latest: true).timeout(20, scheduler: clock)
      .buffer(size: 4, prefetch: .keepFull, whenFull: .dropOldest)
      .collect(.byTime(clock, 1)).sink { count += $0.count }
    subject.send()
    clock.advance(by: 10)
    subject.send()
    clock.advance(by: 10)
    #expect(count == 2)
    withExtendedLifetime(cancellable) {}
  }
}
