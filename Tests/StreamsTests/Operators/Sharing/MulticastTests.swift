import Glibc
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite struct MulticastTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  let upstream = TestPublisher<Int, TestFailure>()

  @Test func sendsToAllSubscribersOnceConnected() {
    var made = 0
    let multicast = upstream.multicast { () -> PassthroughSubject<Int, TestFailure> in
      made += 1
      return PassthroughSubject()
    }
    #expect(made == 0)
    let recorders = [Recorder(), Recorder(initialDemand: .max(2))]
    for recorder in recorders { multicast.subscribe(recorder) }
    #expect(upstream.subscribers.isEmpty)
    let connection = multicast.connect()
    #expect(made == 1)
    upstream.send(1)
    upstream.send(batch: [2, 3])
    upstream.send(completion: .failure(TestFailure()))
    #expect(recorders.map(\.values) == [[1, 2, 3], [1, 2]])
    #expect(recorders.map(\.completions) == [[.failure(TestFailure())], [.failure(TestFailure())]])
    #expect(recorders[0].events.first == .subscription("Multicast"))
    connection.cancel()
  }

  @Test func twoConnectionsSendTwice() {
    let multicast = upstream.multicast(subject: PassthroughSubject())
    let recorder = Recorder()
    multicast.subscribe(recorder)
    let connections = [multicast.connect(), multicast.connect()]
    upstream.send(1)
    #expect(recorder.values == [1, 1])
    #expect(connections[0] is AnyCancellable)
    connections[0].cancel()
    upstream.send(2)
    #expect(recorder.values == [1, 1, 2])
    withExtendedLifetime(connections) {}
  }

  @Test func demandReturnedForAValueIsRequested() {
    let multicast = upstream.multicast(subject: PassthroughSubject())
    let recorder = Recorder(initialDemand: .max(1)) { $0 < 3 ? .max(1) : .none }
    multicast.subscribe(recorder)
    let connection = multicast.connect()
    for value in 1...4 { upstream.send(value) }
    #expect(recorder.values == [1, 2, 3])
    connection.cancel()
  }

  @Test func cancellingASubscriberLeavesTheOthers() {
    let multicast = upstream.multicast(subject: PassthroughSubject())
    let recorders = [Recorder(), Recorder()]
    for recorder in recorders { multicast.subscribe(recorder) }
    let connection = multicast.connect()
    recorders[0].cancel()
    recorders[0].request(.max(1))
    upstream.send(1)
    #expect(recorders.map(\.values) == [[], [1]])
    connection.cancel()
    #expect(upstream.ledger.cancelCount == 1)
  }

  /// A subject that is nothing but a publisher that does what the test says.
  private final class TestSubject: Subject {
    typealias Output = Int
    typealias Failure = TestFailure

    let base = TestPublisher<Int, TestFailure>()
    /// Whether it keeps its subscribers as `AnySubscriber`s, which deliver by a closure.
    let erases: Bool

    init(erases: Bool) { self.erases = erases }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
      if erases {
        base.receive(subscriber: AnySubscriber(subscriber))
      } else {
        base.receive(subscriber: subscriber)
      }
    }
    func send(_ value: Int) { base.send(value) }
    func send(completion: Subscribers.Completion<TestFailure>) { base.send(completion: completion) }
    func send(subscription: any Subscription) {}
  }

  @Test(arguments: [false, true])
  func whatIsReturnedForAValueIsRequestedFromTheSubject(erases: Bool) {
    let subject = TestSubject(erases: erases)
    let recorder = Recorder(initialDemand: .max(1)) { .max($0) }
    upstream.multicast(subject: subject).subscribe(recorder)
    #expect(subject.base.send(2) == .none)
    #expect(subject.base.send(batch: [0, 3]) == .none)
    #expect(subject.base.ledger.requests == [.max(1), .max(2), .max(3)])
  }

  @Test(arguments: [false, true])
  func isSilentAfterCancellationWhateverTheSubjectDoes(erases: Bool) {
    let subject = TestSubject(erases: erases)
    let recorder = Recorder()
    upstream.multicast(subject: subject).subscribe(recorder)
    recorder.cancel()
    subject.send(1)
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription("Multicast")])
    #expect(subject.base.ledger.cancelCount == 1)
  }

  @Test func makesItsSubjectOutsideOfLocksAndOnce() {
    var multicast:
      Publishers.Multicast<TestPublisher<Int, TestFailure>, PassthroughSubject<Int, TestFailure>>!
    let made = Atomic(0)
    multicast = upstream.multicast { () -> PassthroughSubject<Int, TestFailure> in
      made.wrappingAdd(1, ordering: .relaxed)
      for _ in 0..<1_000 { sched_yield() }
      return PassthroughSubject()
    }
    let recorders = (0..<4).map { _ in Recorder() }
    race(
      { multicast.subscribe(recorders[0]) }, { multicast.subscribe(recorders[1]) },
      { multicast.subscribe(recorders[2]) }, { multicast.subscribe(recorders[3]) })
    #expect(made.load(ordering: .relaxed) == 1)
    let connection = multicast.connect()
    upstream.send(1)
    #expect(recorders.map(\.values) == [[1], [1], [1], [1]])
    connection.cancel()
  }
}
