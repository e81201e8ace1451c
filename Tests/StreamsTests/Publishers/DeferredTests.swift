import Streams
import StreamsTesting
import Testing

@Suite struct DeferredTests {
  @Test func makesAPublisherForEachSubscriber() {
    var made = 0
    let deferred = Deferred {
      made += 1
      return Just(made)
    }
    #expect(made == 0)
    for expected in 1...2 {
      let recorder = RecordingSubscriber<Int, Never>()
      deferred.subscribe(recorder)
      #expect(recorder.events == [.subscription("Just"), .value(expected), .completion(.finished)])
    }
    #expect(made == 2)
  }

  @Test func passesTheSubscriberOn() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    Deferred { upstream }.subscribe(recorder)
    #expect(upstream.subscribers.first as? RecordingSubscriber<Int, TestFailure> === recorder)
  }
}
