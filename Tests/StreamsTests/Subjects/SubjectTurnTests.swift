import Dispatch
import Glibc
import StreamsExtras
import StreamsTesting
import Synchronization
import TestThreads
import Testing

@testable import Streams

/// What a thread that sends, subscribes, requests or cancels finds while another is in a delivery.
@Suite(.timeLimit(.minutes(30))) struct SubjectTurnTests {
  enum Kind: CaseIterable {
    case passthrough, currentValue, replay

    func make() -> any Subject<Int, TestFailure> {
      switch self {
      case .passthrough: PassthroughSubject<Int, TestFailure>()
      case .currentValue: CurrentValueSubject<Int, TestFailure>(0)
      case .replay: ReplaySubject<Int, TestFailure>(bufferSize: 2)
      }
    }
  }

  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test(arguments: Kind.allCases) func aSecondThreadWaitsAndDeliversItself(_ kind: Kind) {
    let subject = kind.make()
    let recorder = Recorder()
    let rendezvous = Rendezvous()
    var threads: [Int: pthread_t] = [:]
    recorder.onValue = { value in
      threads[value] = pthread_self()
      if value == 1 { rendezvous.meet() }
      return .none
    }
    subject.subscribe(recorder)
    rendezvous.run(
      { subject.send(1) },
      during: {
        subject.send(2)
        #expect(recorder.values.suffix(2) == [1, 2])
        #expect(threads[2] == pthread_self())
        #expect(threads[1] != pthread_self())
      })
    #expect(recorder.overlapCount == 0)
  }

  /// What is dropped for lack of demand is dropped by the time that `send` returns, not kept for later.
  @Test func aSecondThreadsValueIsDroppedWithoutDemand() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = Recorder(initialDemand: .max(1))
    let rendezvous = Rendezvous()
    recorder.onValue = { _ in
      rendezvous.meet()
      return .none
    }
    subject.subscribe(recorder)
    rendezvous.run(
      { subject.send(1) },
      during: {
        subject.send(2)
        recorder.request(.max(1))
      })
    #expect(recorder.values == [1])
    subject.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test(arguments: Kind.allCases) func aSecondThreadsCompletionWaitsItsTurn(_ kind: Kind) {
    let subject = kind.make()
    let recorder = Recorder()
    let rendezvous = Rendezvous()
    recorder.onValue = { value in
      if value == 1 { rendezvous.meet() }
      return .none
    }
    subject.subscribe(recorder)
    rendezvous.run(
      { subject.send(1) },
      during: {
        subject.send(completion: .finished)
        #expect(recorder.completions == [.finished])
      })
    #expect(recorder.overlapCount == 0)
  }

  @Test(arguments: Kind.allCases) func requestsAndCancellationsDoNotWait(_ kind: Kind) {
    let subject = kind.make()
    let (busy, other, late) = (Recorder(), Recorder(initialDemand: .none), Recorder())
    var isDone: Bool?
    busy.onValue = { value in
      guard value == 1 else { return .none }
      isDone = isDoneElsewhere {
        busy.request(.max(1))
        other.request(.max(1))
        other.cancel()
        busy.cancel()
        subject.subscribe(late)
        late.cancel()
      }
      return .none
    }
    subject.subscribe(busy)
    subject.subscribe(other)
    subject.send(1)
    #expect(isDone == true)
    subject.send(2)
    #expect(busy.values.last == 1)
    #expect(other.values == [])
    #expect(late.values == [])
  }

  /// Subscriptions that come and go while another thread is in a long delivery cost nothing, and leave nothing behind. One
  /// that stays gets what is sent after it.
  @Test(arguments: Kind.allCases) func subscribingMeanwhileCostsNothing(_ kind: Kind) {
    let subject = kind.make()
    let lifetimes = LifetimeTracker()
    let busy = Recorder()
    let last = Recorder()
    let rendezvous = Rendezvous()
    let isOver = DispatchSemaphore(value: 0)
    busy.onValue = { value in
      guard value == 1 else { return .none }
      rendezvous.meet()
      isOver.wait()
      return .none
    }
    subject.subscribe(busy)
    let before = lifetimes.liveCount
    rendezvous.run(
      { subject.send(1) },
      during: {
        for _ in 0..<2000 {
          subject.sink(
            receiveCompletion: { _ in }, receiveValue: { [token = lifetimes.token()] _ in token.keep() }
          ).cancel()
        }
        subject.subscribe(last)
        isOver.signal()
        subject.send(2)
      })
    #expect(last.values == (kind == .passthrough ? [2] : [1, 2]))
    #expect(last.overlapCount == 0)
    #expect(lifetimes.liveCount == before)
  }

  // MARK: Circles

  /// Each of two threads delivers what the other waits to send: neither waits for ever, and nothing is lost.
  @Test func subjectsThatSendIntoEachOther() {
    let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let count = Atomic(0)
    let cancellables = [(one, other), (other, one)].map { from, to in
      from.sink { value in
        count.add(1, ordering: .relaxed)
        if value > 0 { to.send(value - 1) }
      }
    }
    race(rounds: 2000, { one.send(3) }, { other.send(3) })
    #expect(count.load(ordering: .relaxed) == 2 * 2000 * 4)
    withExtendedLifetime(cancellables) {}
  }

  @Test func publishedPropertiesThatSetEachOther() {
    final class Model {
      @Published var value = 0
    }
    let (one, other) = (Model(), Model())
    let count = Atomic(0)
    let cancellables = [(one, other), (other, one)].map { from, to in
      from.$value.sink { value in
        count.add(1, ordering: .relaxed)
        if value > 0 { to.value = value - 1 }
      }
    }
    race(rounds: 1000, { one.value = 3 }, { other.value = 3 })
    #expect(count.load(ordering: .relaxed) == 2 + 2 * 1000 * 4)
    withExtendedLifetime(cancellables) {}
  }

  @Test func mergesThatSendIntoEachOther() {
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    let count = Atomic(0)
    let cancellables = [(0, 2), (2, 0)].map { from, to in
      subjects[from].merge(with: subjects[from + 1]).sink { value in
        count.add(1, ordering: .relaxed)
        if value > 0 { subjects[to].send(value - 1) }
      }
    }
    race(rounds: 1000, { subjects[0].send(3) }, { subjects[1].send(3) }, { subjects[2].send(3) })
    #expect(count.load(ordering: .relaxed) == 3 * 1000 * 4)
    withExtendedLifetime(cancellables) {}
  }

  /// What was left finds the demand that the subscriber returns, and so does what is sent after it.
  @Test(arguments: [false, true]) func whatIsLeftWaitsForDemand(sendsArray: Bool) {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1)) { _ in .max(1) }
    subject.subscribe(recorder)
    cross(
      { meet in
        recorder.onValue = { value in
          guard value == 0 else { return .max(1) }
          meet()
          if sendsArray {
            [6, 7].withUnsafeBufferPointer(subject.send(contentsOf:))
          } else {
            (6...7).forEach(subject.send)
          }
          subject.send(completion: .finished)
          return .max(1)
        }
        subject.send(0)
      }, { for value in 1...5 { subject.send(value) } })
    #expect(recorder.values == Array(0...7))
    #expect(recorder.completions == [.finished])
  }

  /// A subscriber reads back what it has sent, also from within a value that another thread has left.
  @Test func whatIsLeftIsTheValueAtOnce() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = RecordingSubscriber<Int, Never>()
    subject.subscribe(recorder)
    cross(
      { meet in
        recorder.onValue = { value in
          if value == 1 {
            meet()
            subject.send(100)
          }
          if value == 5 { while subject.value < 8 { subject.value += 1 } }
          return .none
        }
        subject.send(1)
      }, { subject.send(5) })
    #expect(recorder.values == [0, 1, 5, 100, 6, 7, 8])
    #expect(subject.value == 8)
  }

  @Test func twoThreadsThroughAMerge() {
    let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = RecordingSubscriber<Int, Never>()
    one.merge(with: other).subscribe(recorder)
    race(
      { for value in 0..<2000 { one.send(value) } }, { for value in 0..<2000 { other.send(-value - 1) } })
    #expect(recorder.values.filter { $0 >= 0 } == Array(0..<2000))
    #expect(recorder.values.filter { $0 < 0 } == (0..<2000).map { -$0 - 1 })
    #expect(recorder.overlapCount == 0)
  }

  @Test func twoThreadsThroughCombineLatest() {
    let (one, other) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let recorder = RecordingSubscriber<[Int], Never>()
    one.combineLatest(other) { [$0, $1] }.subscribe(recorder)
    race({ for value in 1...2000 { one.send(value) } }, { for value in 1...2000 { other.send(value) } })
    #expect(recorder.values.count == 4001)
    #expect(recorder.values.last == [2000, 2000])
    #expect(recorder.overlapCount == 0)
  }

  /// A thread that waits to send is told that the subject has completed meanwhile.
  @Test func whoWaitsIsToldOfTheCompletion() {
    let ways: [(PassthroughSubject<Int, Never>, CurrentValueSubject<Int, Never>) -> (Bool, Bool)] = [
      { first, second in
        [2].withUnsafeBufferPointer { (first.sendUnlessCompleted($0), second.sendUnlessCompleted($0)) }
      },
      { first, second in
        [2, 3].withUnsafeBufferPointer { (first.sendUnlessCompleted($0), second.sendUnlessCompleted($0)) }
      },
    ]
    for way in ways {
      let (first, second) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
      var isSent = [true, true]
      var thread: pthread_t?
      let finishing = second.dropFirst().sink { _ in
        first.send(1)
        second.send(completion: .finished)
      }
      let waiting = first.sink { _ in
        let other = startThread {
          let (one, two) = way(first, second)
          isSent = [one, two]
        }
        thread = other
        while !first.broadcast.serializer.gate.isAwaited { sched_yield() }
        first.send(completion: .finished)
      }
      second.send(1)
      if let thread { pthread_join(thread, nil) }
      #expect(isSent == [false, false])
      let isFirst = [first.complete(.finished), second.complete(.finished)]
      #expect(isFirst == [false, false])
      withExtendedLifetime((finishing, waiting)) {}
    }
  }
}
