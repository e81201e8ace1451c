import Glibc
import Streams
import StreamsTesting
import Synchronization
import Testing

/// Subjects used by several threads at a time. Under ThreadSanitizer these tests find missing orderings.
@Suite struct SubjectRaceTests {
  let rounds = 2000

  @Test func losesNoValue() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    subject.subscribe(recorder)
    var next = [0, 1_000_000, 2_000_000]
    next.withUnsafeMutableBufferPointer { next in
      let next = next
      race(
        rounds: rounds,
        {
          subject.send(next[0])
          next[0] += 1
        },
        {
          subject.send(next[1])
          next[1] += 1
        },
        {
          subject.send(next[2])
          next[2] += 1
        })
    }
    #expect(recorder.values.count == 3 * rounds)
    #expect(recorder.overlapCount == 0)
    for sender in 0..<3 {
      let base = sender * 1_000_000
      let values = recorder.values.filter { $0 >= base && $0 < base + 1_000_000 }
      #expect(values == Array(base..<(base + rounds)), "a sender's values stay in order")
    }
  }

  @Test func subscriptionsComeBeforeValues() {
    let subject = PassthroughSubject<Int, Never>()
    var recorders: [RecordingSubscriber<Int, Never>] = []
    race(
      rounds: rounds, { subject.send(1) },
      {
        let recorder = RecordingSubscriber<Int, Never>()
        subject.subscribe(recorder)
        recorders.append(recorder)
        if recorders.count % 3 == 0 { recorder.cancel() }
      })
    for recorder in recorders {
      #expect(recorder.events.first == .subscription("PassthroughSubject"))
      #expect(recorder.subscriptions.count == 1)
      #expect(recorder.overlapCount == 0)
    }
  }

  @Test(arguments: [Subscribers.Completion<Never>?.none, .finished])
  func whatIsSentDuringAHandshakeOnAnotherThread(_ completion: Subscribers.Completion<Never>?) {
    let subject = PassthroughSubject<Int, Never>()
    let (first, second) = (RecordingSubscriber<Int, Never>(), RecordingSubscriber<Int, Never>())
    let isDelivering = Atomic(false)
    let isSubscribing = Atomic(false)
    let hasSent = Atomic(false)
    first.onValue = { value in
      guard value == 1 else { return .none }
      isDelivering.store(true, ordering: .releasing)
      while !isSubscribing.load(ordering: .acquiring) { sched_yield() }
      if let completion { subject.send(completion: completion) } else { subject.send(2) }
      hasSent.store(true, ordering: .releasing)
      return .none
    }
    second.onSubscription = { _ in
      isSubscribing.store(true, ordering: .releasing)
      while !hasSent.load(ordering: .acquiring) { sched_yield() }
      #expect(second.events.count == 1)
    }
    subject.subscribe(first)
    race(
      { subject.send(1) },
      {
        while !isDelivering.load(ordering: .acquiring) { sched_yield() }
        subject.subscribe(second)
      })
    #expect(second.overlapCount == 0)
    // A value comes before there is demand for it.
    #expect(
      second.events == [.subscription("PassthroughSubject")] + (completion.map { [.completion($0)] } ?? []))
  }

  @Test func everySubscriberGetsTheCompletionOnce() {
    for _ in 0..<200 {
      let subject = CurrentValueSubject<Int, TestFailure>(0)
      var recorders: [RecordingSubscriber<Int, TestFailure>] = []
      race(
        {
          subject.send(1)
          subject.send(completion: .finished)
        },
        {
          for _ in 0..<10 {
            let recorder = RecordingSubscriber<Int, TestFailure>()
            subject.subscribe(recorder)
            recorders.append(recorder)
          }
        })
      for recorder in recorders {
        #expect(recorder.completions == [.finished])
        #expect(recorder.events.last == .completion(.finished))
        if case .subscription = recorder.events.first {} else { Issue.record("no subscription first") }
        #expect(recorder.overlapCount == 0)
      }
    }
  }

  @Test func cancellingWhileSendingReleasesEverything() {
    let lifetimes = LifetimeTracker()
    let subject = PassthroughSubject<Int, Never>()
    func subscribeAndCancel() {
      let cancellable = subject.map { $0 + 1 }.sink { [token = lifetimes.token()] _ in token.keep() }
      cancellable.cancel()
    }
    race(rounds: rounds, { subject.send(1) }, subscribeAndCancel, subscribeAndCancel)
    // What was retired while a value was on its way is released by the end of the last delivery.
    subject.send(2)
    #expect(lifetimes.liveCount == 0)
  }

  @Test func demandIsNeverExceeded() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1)) { $0 % 2 == 0 ? .max(1) : .none }
    subject.subscribe(recorder)
    race(rounds: rounds, { subject.send(1) }, { subject.send(2) }, { recorder.request(.max(1)) })
    #expect(recorder.overdrawn == 0)
    #expect(recorder.overlapCount == 0)
  }

  @Test func aSubscriberEndsUpWithTheLatestValue() {
    for _ in 0..<200 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
      let unlimited = RecordingSubscriber<Int, Never>()
      subject.subscribe(recorder)
      subject.subscribe(unlimited)
      race(
        rounds: 20, { subject.value += 1 }, { subject.value = -1 },
        { recorder.request(.max(1)) })
      #expect(unlimited.values.last == subject.value)
      recorder.request(.max(100))
      #expect(recorder.values.last == subject.value)
      #expect(recorder.overdrawn == 0)
    }
  }

  @Test func theLastReferenceMayGoAwayWhileAnotherThreadDelivers() {
    let lifetimes = LifetimeTracker()
    for _ in 0..<200 {
      var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
      let cancellable = subject!.sink { [token = lifetimes.token()] _ in token.keep() }
      let sender = subject!
      race({ for value in 0..<20 { sender.send(value) } }, { cancellable.cancel() })
      subject = nil
    }
    #expect(lifetimes.liveCount == 0)
  }
}
