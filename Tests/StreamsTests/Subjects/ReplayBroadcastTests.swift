import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

/// A subject that replays, used by several threads at a time.
@Suite struct ReplayBroadcastTests {
  @Test func everySubscriberSeesOneOrder() {
    let subject = ReplaySubject<Int, Never>()
    let recorders = (0..<4).map { _ in RecordingSubscriber<Int, Never>() }
    let slow = RecordingSubscriber<Int, Never>(initialDemand: .none)
    subject.subscribe(slow)
    let next = Atomic(0)
    race(
      rounds: 2000,
      { subject.send(1) }, { subject.send(2) }, { subject.send(3) },
      { slow.request(.max(1)) },
      {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if index < recorders.count { subject.subscribe(recorders[index]) }
      })
    slow.request(.unlimited)
    #expect(slow.values.count == 6000)
    for recorder in recorders {
      #expect(recorder.values == slow.values)
      #expect(recorder.overlapCount == 0)
    }
  }

  @Test func everySubscriberGetsItsCompletion() {
    for _ in 0..<200 {
      let subject = ReplaySubject<Int, Never>(bufferSize: 3)
      (0..<3).forEach(subject.send)
      let recorders = (0..<2).map { _ in RecordingSubscriber<Int, Never>(initialDemand: .none) }
      race(
        rounds: 1,
        { subject.send(completion: .finished) },
        {
          subject.subscribe(recorders[0])
          recorders[0].request(.unlimited)
        },
        {
          subject.subscribe(recorders[1])
          for _ in 0..<3 { recorders[1].request(.max(1)) }
        })
      #expect(recorders.map(\.values) == [[0, 1, 2], [0, 1, 2]])
      #expect(recorders.map(\.completions) == [[.finished], [.finished]])
    }
  }
}
