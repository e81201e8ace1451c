import Streams
import StreamsTesting
import Testing

@Suite struct CurrentValueSubjectTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  let subject = CurrentValueSubject<Int, TestFailure>(0)

  // MARK: Values and demand

  @Test func sendsItsValueToEachNewSubscriber() {
    subject.send(1)
    subject.value += 1
    let recorder = Recorder()
    subject.subscribe(recorder)
    subject.send(3)
    subject.value = 4
    #expect(subject.value == 4)
    #expect(recorder.events == [.subscription("CurrentValueSubject"), .value(2), .value(3), .value(4)])
  }

  @Test func givesASubscriberThatIsBehindOnlyTheLatest() {
    let recorder = Recorder(initialDemand: .none)
    subject.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    recorder.request(.max(1))
    #expect(recorder.values == [2])
    recorder.request(.max(1))
    #expect(recorder.values == [2])
    subject.send(3)
    subject.send(4)
    subject.send(5)
    #expect(recorder.values == [2, 3])
    recorder.request(.max(2))
    #expect(recorder.values == [2, 3, 5])
    subject.send(6)
    subject.send(7)
    #expect(recorder.values == [2, 3, 5, 6])
  }

  @Test func demandReturnedForAValueCountsForTheNext() {
    let recorder = Recorder(initialDemand: .max(1)) { $0 == 0 ? .max(2) : .none }
    subject.subscribe(recorder)
    for value in 1...4 { subject.send(value) }
    #expect(recorder.values == [0, 1, 2])
    // The recorder is behind: a request brings the latest value at once.
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 2, 4])
  }

  @Test func requestsWithinAValueAddUp() {
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onValue = { [unowned recorder] value in
      if value == 0 { recorder.request(.max(2)) }
      return .none
    }
    subject.subscribe(recorder)
    for value in 1...4 { subject.send(value) }
    #expect(recorder.values == [0, 1, 2])
  }

  @Test func batchesLeaveTheirLastValue() {
    let recorder = Recorder(initialDemand: .max(2))
    subject.subscribe(recorder)
    [1, 2, 3].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(subject.value == 3)
    #expect(recorder.values == [0, 1])
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 3])
    UnsafeBufferPointer<Int>(start: nil, count: 0).withMemoryRebound(to: Int.self) {
      subject.send(contentsOf: $0)
    }
    #expect(subject.value == 3)
  }

  @Test func requestsForNothingTrap() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
      CurrentValueSubject<Int, Never>(0).subscribe(recorder)
      recorder.request(.none)
    }
  }

  @Test func subscribingWithinASubscriptionDeliversTheValueFirst() {
    let inner = Recorder()
    let outer = Recorder(initialDemand: .unlimited)
    outer.onSubscription = { [subject] _ in subject.subscribe(inner) }
    subject.subscribe(outer)
    #expect(inner.events == [.subscription("CurrentValueSubject"), .value(0)])
    #expect(outer.events == inner.events)
  }

  @Test func settingTheValueWithinAValueRecurses() {
    let second = Recorder()
    let first = Recorder { [subject] in
      if $0 == 1 { subject.value = 2 }
      return .none
    }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0, 2, 1])
    #expect(subject.value == 2)
  }

  // MARK: Ends

  @Test func aValueThatWaitsForItsTurnIsNotSentTwice() {
    let (behind, slow) = (Recorder(initialDemand: .none), Recorder())
    let rendezvous = Rendezvous()
    slow.onValue = { value in
      guard value > 0 else { return .none }
      rendezvous.meet()
      if value == 2 { behind.request(.max(2)) }
      return .none
    }
    subject.subscribe(behind)
    subject.subscribe(slow)
    rendezvous.run({ subject.send(1) }, during: { subject.send(2) })
    #expect(slow.values == [0, 1, 2])
    #expect(behind.values == [2])
  }

  @Test func aRequestOnAnotherThreadDuringADeliveryGetsTheLatestAfterIt() {
    let (behind, slow) = (Recorder(initialDemand: .none), Recorder())
    slow.onValue = { value in
      if value == 1 {
        race({ behind.request(.max(1)) })
        #expect(behind.values == [])
      }
      return .none
    }
    subject.subscribe(behind)
    subject.subscribe(slow)
    subject.send(1)
    #expect(behind.values == [1])
  }

  @Test func afterTheCompletionOnlySettingChangesTheValue() {
    let recorder = Recorder()
    subject.subscribe(recorder)
    subject.send(completion: .finished)
    subject.send(1)
    #expect(subject.value == 0)
    subject.value = 2
    #expect(subject.value == 2)
    #expect(recorder.events == [.subscription("CurrentValueSubject"), .value(0), .completion(.finished)])

    let late = Recorder()
    subject.subscribe(late)
    #expect(late.events == [.subscription("Empty"), .completion(.finished)])
  }

  @Test func requestingAfterTheEndDoesNothing() {
    let recorder = Recorder(initialDemand: .none)
    subject.subscribe(recorder)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.values.isEmpty)
  }

  // MARK: Upstreams

  @Test func requestsEverythingFromItsUpstreams() {
    let upstream = TestSubscription()
    do {
      let subject = CurrentValueSubject<Int, Never>(0)
      subject.send(subscription: upstream)
      subject.subscribe(RecordingSubscriber(initialDemand: .none))
      subject.send(completion: .finished)
    }
    #expect(upstream.ledger.entries == [.requested(.unlimited), .cancelled])
  }

  @Test func describesItsSubscriptions() throws {
    let recorder = Recorder(initialDemand: .max(3))
    subject.subscribe(recorder)
    let mirror = Mirror(reflecting: try #require(recorder.subscriptions.first))
    #expect(mirror.children.map(\.label) == ["parent", "downstream", "demand", "subject"])
    #expect(mirror.descendant("demand") as? Subscribers.Demand == .max(2))
  }
}
