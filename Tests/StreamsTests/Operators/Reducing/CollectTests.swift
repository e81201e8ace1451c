import Streams
import StreamsTesting
import Testing

@Suite struct CollectTests {
  @Test func behavesAsAReduction() {
    Reduction(name: "Collect", result: [1, 2, 3, 4, 5], resultOfNothing: []) { $0.collect() }.check()
  }

  @Test func mirrorsTheNumberOfValues() {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<[Int], Never>()
    upstream.collect().subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    let children = Mirror(reflecting: recorder.subscriptions[0]).children.map {
      "\($0.label ?? "") \($0.value)"
    }
    #expect(children == ["count 3"])
  }

  @Test func equalsByUpstream() {
    #expect(Empty<Int, Never>().collect() == Empty<Int, Never>().collect())
    #expect(Empty<Int, Never>().collect() != Empty<Int, Never>(completeImmediately: false).collect())
  }
}
