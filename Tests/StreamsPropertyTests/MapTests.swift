import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct MapTests {
  struct Point { var x = 1, y = 2, z = 3 }

  @Test func transformsOnceForEachChange() {
    let subject = CurrentValueSubject<Int, Never>(1)
    var calls = 0
    let property = Property(subject).map { value in
      calls += 1
      return "\(value)"
    }
    #expect(property.value == "1")
    let logs = (0..<3).map { _ in Log(property.allValues) }
    subject.value = 2
    #expect(property.value == "2")
    #expect(logs.map(\.values) == [["1", "2"], ["1", "2"], ["1", "2"]])
    #expect(calls == 2)
  }

  @Test func takesKeyPaths() {
    let subject = CurrentValueSubject<Point, Never>(Point())
    let property = Property(subject)
    let one = property.map(\.x)
    let two = property.map(\.x, \.y)
    let three = property.map(\.x, \.y, \.z)
    subject.value.y = 5
    #expect(one.value == 1)
    #expect(two.value == (1, 5))
    #expect(three.value == (1, 5, 3))
  }

  @Test func replacesByAFixedValue() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let log = Log(Property(subject).map(value: "tick").allValues)
    subject.value = 2
    #expect(log.values == ["tick", "tick"])
  }

  @Test func completesWithItsSource() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let property = Property(subject).map { $0 + 1 }
    let log = Log(property.subsequentValues)
    subject.send(completion: .finished)
    #expect(log.isFinished)
    #expect(Log(property.map { $0 }.allValues).isFinished)
    #expect(Log(Property(1).map { $0 + 1 }.allValues).values == [2])
  }
}
