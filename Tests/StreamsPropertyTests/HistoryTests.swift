import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct HistoryTests {
  private let subject = CurrentValueSubject<Int, Never>(1)
  private var property: Property<Int> { Property(subject) }

  private func send(_ values: Int...) { for value in values { subject.value = value } }

  @Test func scan() {
    let (log, other) = (Log(property.scan("") { $0 + "\($1)" }.allValues), Log(property.scan(+).allValues))
    send(2, 3)
    #expect(log.values == ["", "2", "23"])
    #expect(other.values == [1, 3, 6])
  }

  @Test func removeDuplicates() {
    let log = Log(property.removeDuplicates().allValues)
    let coarse = Log(property.removeDuplicates { $0 / 10 == $1 / 10 }.allValues)
    send(1, 2, 2, 11, 12)
    #expect(log.values == [1, 2, 11, 12])
    #expect(coarse.values == [1, 11])
  }

  @Test func whatDoesNotChangeIsNotComputedAgain() {
    var calls = 0
    let derived = property.removeDuplicates().map { value in
      calls += 1
      return value
    }
    send(1, 1, 2)
    #expect(calls == 2)
    #expect(derived.value == 2)
  }

  @Test func uniqueValues() {
    let log = Log(property.uniqueValues().allValues)
    let byDigit = Log(property.uniqueValues { $0 % 10 }.allValues)
    send(2, 1, 2, 11, 3)
    #expect(log.values == [1, 2, 11, 3])
    #expect(byDigit.values == [1, 2, 3])
  }

  @Test func combinePrevious() {
    let log = Log(property.combinePrevious(0).map { [$0, $1] }.allValues)
    send(2, 3)
    #expect(log.values == [[0, 1], [1, 2], [2, 3]])
  }
}
