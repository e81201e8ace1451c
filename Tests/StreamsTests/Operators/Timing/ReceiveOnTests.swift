import Dispatch
import Streams
import StreamsDispatch
import StreamsTesting
import Testing

@Suite struct ReceiveOnTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func schedulesEachSignalAndNothingElse() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(10)) { $0.receive(on: scheduler, options: "fast") }
    #expect(rig.recorder.events == [.subscription("ReceiveOn")])
    #expect(rig.requests == [.max(10)])
    #expect(scheduler.calls == [])

    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(batch: [2, 3])
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [])
    #expect(scheduler.calls == Array(repeating: .schedule(options: "fast"), count: 4))

    scheduler.run()
    #expect(
      rig.recorder.events == [
        .subscription("ReceiveOn"), .value(1), .value(2), .value(3), .completion(.finished),
      ])
  }

  @Test func requestsTheDemandThatIsReturned() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(1), returning: .max(5)) { $0.receive(on: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(2)
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.recorder.request(.max(7))
    scheduler.run()
    #expect(rig.requests == [.max(1), .max(5), .max(5)])
    #expect(rig.recorder.failure == TestFailure())
  }

  @Test func requestsWhatIsReturnedForAValueThatHadToWait() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(2)) { $0.receive(on: scheduler) }
    let rendezvous = Rendezvous()
    rig.recorder.onValue = { value in
      rendezvous.meet()
      return .max(value)
    }
    rig.upstream.send(1)
    rig.upstream.send(2)
    rendezvous.run({ scheduler.runNext() }, during: { scheduler.runNext() })
    #expect(rig.recorder.values == [1, 2])
    #expect(rig.recorder.overlapCount == 0)
    // Each thread requests what it was returned after its turn.
    #expect(rig.requests.first == .max(2))
    #expect(Set(rig.requests.dropFirst()) == [.max(1), .max(2)])
  }

  @Test func dropsWhatIsUnderWayWhenCancelled() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.receive(on: scheduler) }
    rig.upstream.send(1)
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .max(1)
    }
    rig.upstream.send(2)
    scheduler.run()
    rig.upstream.send(3)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("ReceiveOn"), .value(1)])
    #expect(rig.requests == [.unlimited])
    #expect(rig.cancelCount == 1)
    #expect(scheduler.calls.count == 2)
  }

  @Test func deliversACompletionThatIsUnderWayWhenCancelled() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.receive(on: scheduler) }
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.recorder.cancel()
    scheduler.run()
    #expect(rig.recorder.completions == [.finished])
    #expect(rig.cancelCount == 0)
  }

  @Test func deliversValuesThatWereScheduledBeforeTheEndAlsoWhenCancelled() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.receive(on: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    rig.recorder.cancel()
    scheduler.run()
    #expect(rig.recorder.events == [.subscription("ReceiveOn"), .value(1), .completion(.finished)])
    #expect(rig.cancelCount == 0)
  }

  @Test func theCompletionWaitsForValuesThatItHasOvertaken() {
    let scheduler = BackwardScheduler()
    let rig = Rig { $0.receive(on: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(2)
    rig.upstream.send(completion: .failure(TestFailure()))
    scheduler.run()
    #expect(
      rig.recorder.events == [
        .subscription("ReceiveOn"), .value(1), .value(2), .completion(.failure(TestFailure())),
      ])
  }

  @Test func losesNoValueOnAConcurrentScheduler() {
    for _ in 0..<100 {
      let scheduler = VirtualTimeScheduler()
      let rig = Rig { $0.receive(on: scheduler) }
      for value in 0..<3 { rig.upstream.send(value) }
      rig.upstream.send(completion: .finished)
      race({ while scheduler.runNext() {} }, { while scheduler.runNext() {} })
      #expect(rig.recorder.values == [0, 1, 2])
      #expect(rig.recorder.events.last == .completion(.finished))
    }
  }

  @Test func requestsWithoutHoldingOthersUp() {
    expectRequestsWithoutHoldingOthersUp { $0.receive(on: $1) }
  }

  @Test func nothingComesDuringTheHandshake() {
    expectNothingDuringTheHandshake { $0.receive(on: DispatchQueue.global()) }
  }

  /// The request from within the handshake is answered without end.
  @Test(.timeLimit(.minutes(30))) func anEndlessUpstreamIsCancelled() {
    let end = ended((1...).publisher.receive(on: DispatchQueue.global()).prefix(3))
    end.wait()
    #expect(end.values == [1, 2, 3])
  }

  @Test func scheduledActionsKeepTheSubscriber() {
    let scheduler = TestScheduler()
    let lifetimes = LifetimeTracker()
    do {
      let token = lifetimes.token()
      let upstream = TestPublisher<Int, TestFailure>()
      upstream.receive(on: scheduler).subscribe(
        AnySubscriber(
          receiveSubscription: { $0.request(.unlimited) },
          receiveValue: { _ in
            token.keep()
            return .none
          }))
      upstream.send(1)
    }
    #expect(lifetimes.liveCount == 1)
    scheduler.run()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "ReceiveOn") { $0.receive(on: ImmediateScheduler.shared) }
  }

  @Test func dropsWhatComesBeforeTheSubscription() {
    let scheduler = TestScheduler()
    let rig = Rig(sendsSubscription: false) { $0.receive(on: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events == [.subscription("ReceiveOn")])
    #expect(rig.requests == [.unlimited])
    #expect(scheduler.calls == [])
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.receive(on: ImmediateScheduler.shared) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.receive(on: ImmediateScheduler.shared) }
  }

  /// A scheduler that runs what it is given on two threads at once must not make signals overlap.
  @Test func signalsStaySerialOnAConcurrentScheduler() {
    for _ in 0..<20 {
      let scheduler = VirtualTimeScheduler()
      let rig = Rig { $0.receive(on: scheduler) }
      for value in 0..<200 { rig.upstream.send(value) }
      race({ while scheduler.runNext() {} }, { while scheduler.runNext() {} })
      #expect(rig.recorder.overlapCount == 0)
      #expect(rig.recorder.values == Array(0..<200))
    }
  }
}
