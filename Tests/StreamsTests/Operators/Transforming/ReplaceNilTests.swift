import Streams
import StreamsTesting
import Testing

@Suite struct ReplaceNilTests {
  typealias Rig = OperatorRig<Int?, TestFailure, Int, TestFailure>

  @Test func replacesNil() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.replaceNil(with: 42) }
    #expect(rig.upstream.send(nil) == .max(4))
    #expect(rig.upstream.send(batch: [1, nil, 2]) == .max(12))
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.values == [42, 1, 42, 2])
    #expect(rig.recorder.completions == [.failure(TestFailure())])
    #expect(rig.requests == [.max(2)])
  }

  @Test func isAMap() {
    let rig = Rig { $0.replaceNil(with: 42) }
    expectReflection(of: rig.inner, name: "Map")
    let replaced = rig.upstream.replaceNil(with: 42)
    #expect(type(of: replaced) == Publishers.Map<TestPublisher<Int?, TestFailure>, Int>.self)
  }

  @Test func replacesWithNilWhereItIsAskedTo() {
    let rig = OperatorRig<Int??, TestFailure, Int?, TestFailure> { $0.replaceNil(with: nil) }
    rig.upstream.send(.some(nil))
    rig.upstream.send(nil)
    rig.upstream.send(1)
    #expect(rig.recorder.values == [nil, nil, 1])
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.map { Optional($0) }.replaceNil(with: 0) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.map { $0 % 2 == 0 ? nil : $0 }.replaceNil(with: 0) }
  }
}
