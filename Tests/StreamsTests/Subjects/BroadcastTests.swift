import Glibc
import StreamsTesting
import TestThreads
import Testing

@testable import Streams

@Suite struct BroadcastTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let subject = PassthroughSubject<Int, TestFailure>()
  private var broadcast: Broadcast<Int, TestFailure> { subject.broadcast }

  private func subscriber() -> Recorder {
    let recorder = Recorder()
    subject.subscribe(recorder)
    return recorder
  }

  /// The subscriber of the conduit that is known to be the only one.
  private var only: AnyObject? {
    broadcast.only.load(ordering: .relaxed)?._withUnsafeGuaranteedRef { $0.subscriber }
  }

  // MARK: The only subscriber

  @Test func theOnlySubscriberIsKnown() {
    #expect(only == nil)
    let first = subscriber()
    #expect(only === first)
    let second = subscriber()
    #expect(only == nil)
    first.subscriptions[0].cancel()
    #expect(only === second)
    let others = (0..<10).map { _ in subscriber() }
    #expect(only == nil)
    for each in [second] + others.dropLast() { each.subscriptions[0].cancel() }
    #expect(only === others[9])
    subject.send(completion: .finished)
    #expect(only == nil)
  }

  /// Who comes within a delivery gets what is sent afterwards, who goes gets no more.
  @Test func subscribersComeAndGoWithinADelivery() {
    let first = Recorder()
    var later: [Recorder] = []
    first.onValue = { value in
      switch value {
      case 1, 3: later.append(self.subscriber())
      case 2: later[0].subscriptions[0].cancel()
      case 4: first.subscriptions[0].cancel()
      default: break
      }
      return .none
    }
    subject.subscribe(first)
    for value in 1...6 { subject.send(value) }
    #expect(first.values == [1, 2, 3, 4])
    #expect(later.map(\.values) == [[], [4, 5, 6]])
    #expect(only === later[1])
  }

  @Test func theOnlySubscriberCancelsAndAnotherComes() {
    let first = Recorder()
    var second: Recorder?
    first.onValue = { value in
      first.subscriptions[0].cancel()
      second = self.subscriber()
      if value < 3 { self.subject.send(value + 1) }
      return .none
    }
    subject.subscribe(first)
    subject.send(1)
    subject.send(9)
    #expect(first.values == [1])
    #expect(second?.values == [2, 9])
  }

  // MARK: Sending step by step

  @Test func aTurnIsTakenOnce() {
    let recorder = subscriber()
    for round in 1...3 {
      #expect(broadcast.beginSendingBiased())
      #expect(!broadcast.beginSendingBiased())
      withUnsafePointer(to: round) { broadcast.deliver(one($0)) }
      #expect(broadcast.endSendingBiased())
    }
    #expect(recorder.values == [1, 2, 3])
    let isEntered = broadcast.serializer.isEntered
    #expect(!isEntered)
  }

  @Test func aTurnThatIsWaitedForIsNotSimplyLeft() {
    let recorder = subscriber()
    #expect(broadcast.beginSendingBiased())
    let thread = startThread { [subject] in subject.send(1) }
    #expect(reached { broadcast.serializer.gate.isAwaited })
    #expect(recorder.values == [])
    #expect(!broadcast.endSendingBiased())
    broadcast.endSending()
    pthread_join(thread, nil)
    #expect(recorder.values == [1])
    #expect(broadcast.beginSendingBiased() && broadcast.endSendingBiased())
  }

  @Test func nothingIsSentAfterTheCompletion() {
    let recorder = subscriber()
    #expect(withUnsafePointer(to: 1) { broadcast.sendUnlessCompleted(one($0)) })
    subject.send(completion: .finished)
    #expect(!broadcast.beginSendingBiased())
    #expect(!withUnsafePointer(to: 2) { broadcast.sendUnlessCompleted(one($0)) })
    #expect(recorder.values == [1])
  }
}
