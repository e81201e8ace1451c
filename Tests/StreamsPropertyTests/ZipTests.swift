import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct ZipTests {
  private let subjects = (0..<4).map { CurrentValueSubject<Int, Never>($0) }
  private var properties: [Property<Int>] { subjects.map { Property($0) } }

  @Test func waitsForAPartner() {
    let all = properties
    let log = Log(all[0].zip(all[1]) { [$0, $1] }.allValues)
    subjects[0].value = 10
    subjects[0].value = 20
    #expect(log.values == [[0, 1]])
    subjects[1].value = 11
    subjects[1].value = 21
    subjects[1].value = 31
    #expect(log.values == [[0, 1], [10, 11], [20, 21]])
    subjects[0].send(completion: .finished)
    #expect(log.isFinished)
  }

  @Test func completesOnceASurplusIsUsedUp() {
    let all = properties
    let log = Log(all[0].zip(all[1]) { [$0, $1] }.allValues)
    subjects[0].value = 10
    subjects[0].send(completion: .finished)
    #expect(!log.isFinished)
    subjects[1].value = 11
    #expect(log.values == [[0, 1], [10, 11]])
    #expect(log.isFinished)
  }

  @Test func ofThreeAndFour() {
    let all = properties
    let pair = all[0].zip(all[1])
    let three = all[0].zip(all[1], all[2])
    let four = all[0].zip(all[1], all[2], all[3])
    let sums = (
      all[0].zip(all[1], all[2]) { $0 + $1 + $2 }, all[0].zip(all[1], all[2], all[3]) { $0 + $1 + $2 + $3 }
    )
    for subject in subjects.dropLast() { subject.value += 10 }
    #expect(pair.value == (10, 11))
    #expect(three.value == (10, 11, 12))
    #expect(four.value == (0, 1, 2, 3))
    subjects[3].value = 13
    #expect(four.value == (10, 11, 12, 13))
    #expect(sums.0.value == 33)
    #expect(sums.1.value == 46)
  }

  @Test func withItself() {
    let property = properties[0]
    let log = Log(property.zip(property.map { -$0 }) { [$0, $1] }.allValues)
    subjects[0].value = 1
    subjects[0].value = 2
    #expect(log.values == [[0, 0], [1, -1], [2, -2]])
  }
  @Test func ofACollection() {
    let all = properties.zip(emptySentinel: 0)
    let log = Log(all.allValues)
    for subject in subjects.dropLast() { subject.value += 10 }
    subjects[0].value = 20
    #expect(all.value == [0, 1, 2, 3])
    subjects[3].value = 13
    #expect(log.values == [[0, 1, 2, 3], [10, 11, 12, 13]])
    subjects[1].send(completion: .finished)
    #expect(log.isFinished)
  }

  @Test func aCollectionOfOneSourceIsInStep() {
    let property = Property(subjects[0])
    let log = Log(property.zip(with: [property, property.map { -$0 }]).allValues)
    subjects[0].value = 5
    subjects[0].value = 6
    #expect(log.values == [[0, 0, 0], [5, 5, -5], [6, 6, -6]])
  }

  /// In time that grows with their number, not with its square.
  @Test func manyWaitingValuesArePaired() {
    let (a, b) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let zipped = Property(a).zip(Property(b), -)
    let list = Property(a).zip(with: [Property(b)])
    for value in 1...40_000 { a.value = value }
    for value in 1...40_000 { b.value = value }
    #expect(zipped.value == 0 && list.value == [40_000, 40_000])
  }
}
