import Streams
import StreamsTesting
import Testing

@Suite struct MapKeyPathTests {
  struct Point: Equatable {
    var x = 1
    var y = "two"
    var z = 3.0
    var length: Int { x + y.count }
    var inner = Inner()

    struct Inner: Equatable {
      let reference = Box(value: 7)
    }
  }

  final class Box: Equatable {
    let value: Int
    init(value: Int) { self.value = value }
    static func == (lhs: Box, rhs: Box) -> Bool { lhs.value == rhs.value }
  }

  typealias Upstream = TestPublisher<Point, TestFailure>

  func values<P: Publisher>(
    of values: [Point], _ makeOperator: (Upstream) -> P
  ) -> [P.Output] where P.Failure == TestFailure {
    let rig = OperatorRig(demand: .max(2), returning: .max(4), makeOperator)
    let split = values.count / 2
    for value in values[..<split] { #expect(rig.upstream.send(value) == .max(4)) }
    let rest = Array(values[split...])
    #expect(rig.upstream.send(batch: rest) == .max(4 * rest.count))
    #expect(rig.requests == [.max(2)])
    return rig.recorder.values
  }

  @Test func sendsStoredProperties() {
    let points = (1...5).map { Point(x: $0, y: "\($0)") }
    #expect(values(of: points) { $0.map(\.x) } == [1, 2, 3, 4, 5])
    #expect(values(of: points) { $0.map(\.y) } == ["1", "2", "3", "4", "5"])
    #expect(values(of: points) { $0.map(\.self) } == points)
  }

  @Test func sendsPropertiesThatAreNotStoredInTheValue() {
    let points = (1...5).map { Point(x: $0) }
    #expect(values(of: points) { $0.map(\.length) } == [4, 5, 6, 7, 8])
    #expect(values(of: points) { $0.map(\.inner.reference.value) } == [7, 7, 7, 7, 7])
  }

  @Test func sendsTwoProperties() {
    let pairs = values(of: [Point(), Point(x: 2)]) { $0.map(\.x, \.length) }
    #expect(pairs.map { [$0.0, $0.1] } == [[1, 4], [2, 5]])
  }

  @Test func sendsThreeProperties() {
    let triples = values(of: [Point(), Point(x: 2, z: 4)]) { $0.map(\.x, \.y, \.z) }
    #expect(triples.map(\.0) == [1, 2])
    #expect(triples.map(\.1) == ["two", "two"])
    #expect(triples.map(\.2) == [3, 4])
  }

  @Test func keepsItsKeyPaths() {
    let upstream = Upstream()
    #expect(upstream.map(\.x).keyPath == \Point.x)
    let pair = upstream.map(\.x, \.y)
    #expect(pair.keyPath0 == \Point.x && pair.keyPath1 == \Point.y)
    let triple = upstream.map(\.x, \.y, \.z)
    #expect(triple.keyPath0 == \Point.x && triple.keyPath1 == \Point.y && triple.keyPath2 == \Point.z)
    #expect(triple.upstream === upstream)
  }

  @Test func passesItsUpstreamsSubscriptionOn() {
    expectPassesSubscriptionOn(input: 1, name: "ValueForKey", children: ["keyPath"]) { $0.map(\.bitWidth) }
  }

  @Test func describesItself() {
    let pair = OperatorRig<Point, TestFailure, (Int, String), TestFailure> { $0.map(\.x, \.y) }
    expectReflection(of: pair.inner, name: "ValueForKeys", children: ["keyPath0", "keyPath1"])
    let triple = OperatorRig<Point, TestFailure, (Int, String, Double), TestFailure> { $0.map(\.x, \.y, \.z) }
    expectReflection(of: triple.inner, name: "ValueForKeys", children: ["keyPath0", "keyPath1", "keyPath2"])
    let shown = Mirror(reflecting: pair.inner).children.map(\.value)
    #expect(shown.first as? KeyPath<Point, Int> == \Point.x)
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleases { $0.map(\.bitWidth) }
    expectReleases { $0.map(\.bitWidth, \.magnitude) }
    expectReleases { $0.map(\.bitWidth, \.magnitude, \.self) }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.map(\.self) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.map(\.bitWidth, \.self) }
  }
}
