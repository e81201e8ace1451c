import Glibc
import Streams
import StreamsProperty
import StreamsTesting
import Synchronization
import TestThreads
import Testing

/// Runs each closure on a thread of its own; returns when all are done.
private func onThreads(_ count: Int, _ body: @escaping (Int) -> Void) {
  let threads = (0..<count).map { number in startThread { body(number) } }
  for thread in threads { pthread_join(thread, nil) }
}

/// A barrier for as many threads as `count`.
private final class Meeting: Sendable {
  private let missing: Atomic<Int>
  init(_ count: Int) { missing = Atomic(count) }
  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}

@Suite struct ThreadTests {
  /// The writers' values carry the writer's number and ascend: each is one that the source had, none is torn.
  @Test func readersSeeOnlyWhatTheSourceHad() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let source = Property(subject)
    let pair = source.map { $0 * 2 }.combineLatest(source.map { $0 * 3 }) { ($0, $1) }
    let errors = Atomic(0)
    let log = Log(pair.allValues)
    let plain = Log(source.allValues)
    onThreads(16) { number in
      if number < 8 {
        for step in 1...200 { subject.value = number * 1000 + step }
      } else {
        for _ in 0..<200 {
          let (double, triple) = pair.value
          let value = double / 2
          let isRight = double * 3 == triple * 2 && (value == 0 || (1...200).contains(value % 1000))
          if !isRight { errors.add(1, ordering: .relaxed) }
        }
      }
    }
    #expect(errors.load(ordering: .relaxed) == 0)
    #expect(plain.values.count == 1601)
    #expect(log.values.map { $0.0 / 2 } == plain.values)
    #expect(log.values.map { $0.1 / 3 } == plain.values)
    for writer in 0..<8 {
      #expect(plain.values.filter { $0 / 1000 == writer && $0 > 0 } == (1...200).map { writer * 1000 + $0 })
    }
    #expect(source.value == subject.value)
  }

  @Test func joinedSourcesTakeTurns() {
    let subjects = (0..<4).map { _ in CurrentValueSubject<Int, Never>(0) }
    let sum = subjects.map { Property($0) }.combineLatest(emptySentinel: 0).map { $0.reduce(0, +) }
    let log = Log(sum.allValues)
    onThreads(4) { number in
      for value in 1...300 { subjects[number].value = value }
    }
    // Each change adds one.
    #expect(log.values == Array(0...1200))
  }

  /// Properties are derived, joined, watched and dropped while their sources change.
  @Test func graphsGrowAndShrinkWhileSourcesChange() {
    let subjects = (0..<4).map { _ in CurrentValueSubject<Int, Never>(0) }
    let properties = subjects.map { Property($0) }
    let lifetimes = LifetimeTracker()
    let errors = Atomic(0)
    onThreads(8) { number in
      for round in 1...100 {
        if number < 4 {
          subjects[number].value = round
          continue
        }
        let token = lifetimes.token()
        let (first, second) = (properties[number % 4], properties[(number + round) % 4])
        let twice = first.map { value in
          token.keep()
          return (value, value)
        }
        let joined = twice.combineLatest(second, first) { ($0.0, $2) }
        let cancellable = joined.allValues.sink { if $0.0 != $0.1 { errors.add(1, ordering: .relaxed) } }
        if round.isMultiple(of: 2) { cancellable.cancel() }
      }
    }
    #expect(errors.load(ordering: .relaxed) == 0)
    #expect(lifetimes.liveCount == 0)
    subjects[0].value = 1000
    #expect(properties[0].value == 1000)
  }

  /// Two threads, each in a change of one source, join both: neither can wait for the other.
  @Test func joinsThatWouldWaitForEachOther() {
    for _ in 0..<20 {
      let subjects = (0..<2).map { _ in CurrentValueSubject<Int, Never>(0) }
      let properties = subjects.map { Property($0) }
      let joined = Mutex<[Property<[Int]>]>([])
      let meeting = Meeting(2)
      let cancellables = (0..<2).map { number in
        properties[number].subsequentValues.sink { value in
          if value > 1 { return }
          meeting.wait()
          let made = properties[number].combineLatest(properties[1 - number]) { [$0, $1] }
          joined.withLock { $0.append(made) }
        }
      }
      onThreads(2) { subjects[$0].value = 1 }
      subjects[0].value = 2
      subjects[1].value = 2
      #expect(joined.withLock { $0.map(\.value) } == [[2, 2], [2, 2]])
      withExtendedLifetime(cancellables) {}
    }
  }

  /// Independent sources do not wait for each other.
  @Test func aWatcherThatWaitsHoldsUpItsOwnSourceOnly() {
    let (slow, quick) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let (first, second) = (Property(slow).map { $0 }, Property(quick).map { $0 })
    let isShown = Atomic(false)
    let meeting = Meeting(2)
    let cancellables = [
      first.subsequentValues.sink { _ in
        meeting.wait()
        while !isShown.load(ordering: .acquiring) { sched_yield() }
      },
      second.subsequentValues.sink { _ in isShown.store(true, ordering: .releasing) },
    ]
    onThreads(2) { number in
      if number == 0 {
        slow.value = 1
      } else {
        meeting.wait()
        quick.value = 1
      }
    }
    #expect(first.value == 1 && second.value == 1)
    withExtendedLifetime(cancellables) {}
  }

  /// What has finished is not read while the change that ended it goes on.
  @Test func whatHasJustFinishedIsDerivedFromAfterThatChange() {
    let (subject, other) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let (source, free) = (Property(subject), Property(other))
    let ended = source.prefix(initialFallback: 0) { $0 < 1 }
    let meeting = Meeting(2)
    let isDerived = Atomic(false)
    let wasEarly = Atomic(false)
    let slow = source.combineLatest(ended) { value, _ in
      guard value == 1 else { return value }
      meeting.wait()
      for _ in 0..<1_000 { sched_yield() }
      wasEarly.store(isDerived.load(ordering: .acquiring), ordering: .relaxed)
      return value
    }
    onThreads(2) { number in
      guard number == 1 else {
        subject.value = 1
        return
      }
      meeting.wait()
      let derived = free.combineLatest(ended)
      isDerived.store(true, ordering: .releasing)
      #expect(derived.value == (0, 0))
    }
    #expect(slow.value == 1 && !wasEarly.load(ordering: .relaxed))
  }

  /// Threads that set different parts of one value undo nothing of each other's.
  @Test func partsOfOneBindingAreSetBySeveralThreads() {
    let subject = CurrentValueSubject<[Int], Never>(Array(repeating: 0, count: 8))
    let binding = Binding(subject)
    let log = Log(binding.values)
    onThreads(8) { number in
      let element = binding[number]
      for value in 1...200 { element.wrappedValue = value }
    }
    #expect(subject.value == Array(repeating: 200, count: 8))
    #expect(log.values.map { $0.reduce(0, +) } == Array(0...1600))
  }

  /// Two threads, each in a change of one binding, set the other: neither can wait for the other.
  @Test func bindingsThatSetEachOther() {
    for _ in 0..<20 {
      let bindings = (0..<2).map { _ in Binding(CurrentValueSubject<Int, Never>(0)) }
      let meeting = Meeting(2)
      let cancellables = (0..<2).map { number in
        bindings[number].values.sink { value in
          if value != 1 { return }
          meeting.wait()
          bindings[1 - number].wrappedValue = 2
        }
      }
      onThreads(2) { bindings[$0].wrappedValue = 1 }
      #expect(bindings.map(\.wrappedValue) == [2, 2])
      withExtendedLifetime(cancellables) {}
    }
  }
}
