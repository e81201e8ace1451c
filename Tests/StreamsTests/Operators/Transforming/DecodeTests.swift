import Streams
import StreamsTesting
import Testing

@Suite struct DecodeTests {
  typealias Rig = OperatorRig<Int, TestFailure, String, any Error>

  @Test func decodesEachValue() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.decode(type: String.self, decoder: TestCoder()) }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(8))
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send(4) == .none)
    #expect(rig.recorder.values == ["1", "2", "3"])
    #expect(rig.recorder.completions.count == 1)
    #expect(rig.requests == [.max(2)])
  }

  @Test func failsWithTheErrorOfTheDecoder() {
    let rig = Rig(returning: .max(4)) { $0.decode(type: String.self, decoder: TestCoder()) }
    #expect(rig.upstream.send(-1) == .none)
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "failure"])
    #expect(rig.cancelCount == 1)
  }

  @Test func failsBeforeTheSubscription() {
    let rig = Rig(sendsSubscription: false) { $0.decode(type: String.self, decoder: TestCoder()) }
    #expect(rig.upstream.send(-1) == .none)
    #expect(rig.recorder.events.map(\.kind) == ["failure"])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(
      name: "Decode", children: ["downstream", "finished", "upstreamSubscription"]
    ) { $0.decode(type: String.self, decoder: TestCoder()) }
  }

  @Test func undoesEncoding() {
    let rig = OperatorRig<String, TestFailure, String, any Error> {
      $0.encode(encoder: TestCoder()).decode(type: String.self, decoder: TestCoder())
    }
    rig.upstream.send(batch: ["12", "34"])
    #expect(rig.recorder.values == ["12", "34"])
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.decode(type: String.self, decoder: TestCoder()) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.decode(type: String.self, decoder: TestCoder()) }
  }
}
