import Foundation
import Streams
import StreamsTesting
import Testing

@Suite struct RecordTests {
  private typealias Sut = Record<Int, TestFailure>

  @Test func playsBackOnDemand() {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    Sut(output: [1, 2, 3], completion: .failure(TestFailure())).subscribe(recorder)
    recorder.request(.none)
    recorder.request(.max(2))
    #expect(recorder.events == [.subscription("[1, 2, 3]"), .value(1), .value(2)])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [.failure(TestFailure())])
  }

  @Test func completesAtOnceWithoutValues() {
    expectCompletesAtOnce(Sut { _ in }, with: "finished")
    expectCompletesAtOnce(Sut { $0.receive(completion: .failure(TestFailure())) }, with: "failure(failure)")
  }

  @Test func describesItself() {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    Sut(output: [1, 2], completion: .finished).subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    expectReflection(of: subscription, name: "[1, 2]", children: ["sequence", "completion"])
    recorder.cancel()
    recorder.request(.max(1))
    expectReflection(of: subscription, name: "Cancelled Events", children: ["sequence", "completion"])
    #expect(Mirror(reflecting: subscription).children.map { "\($0.value)" } == ["[]", "finished"])
    #expect(recorder.values.isEmpty)
  }

  @Test func recordsUntilItIsComplete() {
    var recording = Sut { $0.receive(1) }.recording
    #expect(recording.completion == .finished)
    recording.receive(2)
    recording.receive(completion: .failure(TestFailure()))
    #expect(recording.output == [1, 2])
    #expect(recording.completion == .failure(TestFailure()))
  }

  @Test func acceptsNothingOnceComplete() async {
    await #expect(processExitsWith: .failure) {
      _ = Record<Int, Never> { recording in
        recording.receive(completion: .finished)
        recording.receive(1)
      }
    }
    await #expect(processExitsWith: .failure) {
      _ = Record<Int, Never> { recording in
        recording.receive(completion: .finished)
        recording.receive(completion: .finished)
      }
    }
    await #expect(processExitsWith: .failure) {
      var recording = Record<Int, Never>.Recording(output: [])
      recording.receive(1)
    }
  }

  @Test func codesItself() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let record = Sut(output: [1, 2], completion: .finished)
    let json = String(decoding: try encoder.encode(record), as: UTF8.self)
    #expect(json == #"{"recording":{"completion":{"success":true},"output":[1,2]}}"#)
    let decoded = try JSONDecoder().decode(Sut.self, from: Data(json.utf8))
    #expect(decoded.recording.output == [1, 2])
    #expect(decoded.recording.completion == .finished)
    let failed = Sut(output: [], completion: .failure(TestFailure())).recording
    let copy = try JSONDecoder().decode(Sut.Recording.self, from: encoder.encode(failed))
    #expect(copy.completion == .failure(TestFailure()))
  }

  @Test func aDecodedRecordingIsComplete() async {
    await #expect(processExitsWith: .failure) {
      struct Nothing: Error, Codable {}
      let json = Data(#"{"completion":{"success":true},"output":[1]}"#.utf8)
      var recording = try JSONDecoder().decode(Record<Int, Nothing>.Recording.self, from: json)
      recording.receive(2)
    }
  }
}
