import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct FilterTests {
  private let subject = CurrentValueSubject<Int, Never>(1)
  private var property: Property<Int> { Property(subject) }

  private func send(_ values: Int...) { for value in values { subject.value = value } }

  @Test func filter() {
    let log = Log(property.filter(initialFallback: 0) { $0.isMultiple(of: 2) }.allValues)
    let other = property.filter(initialFallback: 0) { $0 == 1 }
    send(2, 3, 4)
    #expect(log.values == [0, 2, 4])
    #expect(other.value == 1)
  }

  @Test func compactMap() {
    let texts = CurrentValueSubject<String, Never>("a")
    let log = Log(Property(texts).compactMap(initialFallback: -1) { Int($0) }.allValues)
    for text in ["1", "b", "2"] { texts.value = text }
    #expect(log.values == [-1, 1, 2])
    #expect(Property("5").compactMap(initialFallback: -1) { Int($0) }.value == 5)
  }

  @Test func theFirstValueMayBeGiven() {
    let even = Log(property.filter(initial: 0) { $0.isMultiple(of: 2) }.allValues)
    let odd = property.filter(initial: 0) { !$0.isMultiple(of: 2) }
    let text = Log(property.compactMap(initial: "") { $0 > 2 ? "\($0)" : nil }.allValues)
    #expect(odd.value == 0)
    send(2, 3, 4)
    #expect(even.values == [0, 2, 4])
    #expect(odd.value == 3)
    #expect(text.values == ["", "3", "4"])
  }

  @Test func drop() {
    let log = Log(property.drop(initialFallback: 0) { $0 < 3 }.allValues)
    send(2, 3, 1)
    #expect(log.values == [0, 3, 1])
    #expect(property.drop(initialFallback: 0) { $0 > 1 }.value == 1)
  }

  @Test func prefix() {
    let property = property.prefix(initialFallback: 0) { $0 < 3 }
    let log = Log(property.allValues)
    send(2, 3, 1)
    #expect(log.values == [1, 2])
    #expect(log.isFinished)
    #expect(property.value == 2)
    #expect(self.property.prefix(initialFallback: 0) { $0 > 1 }.value == 0)
  }

  @Test func prefixLetsGoOfItsSource() {
    let source = TestPublisher<Int, Never>()
    let property = Property(initial: 0, then: source).prefix(initialFallback: 0) { $0 < 2 }
    source.send(1)
    source.send(2)
    #expect(source.ledger.cancelCount == 1)
    #expect(property.value == 1)
  }
}
