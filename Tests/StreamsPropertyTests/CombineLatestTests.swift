import Streams
import StreamsProperty
import StreamsTesting
import Testing

@Suite struct CombineLatestTests {
  private let subjects = (0..<4).map { CurrentValueSubject<Int, Never>($0) }
  private var properties: [Property<Int>] { subjects.map { Property($0) } }

  @Test func ofTwoToFour() {
    let all = properties
    let two = all[0].combineLatest(all[1])
    let three = all[0].combineLatest(all[1], all[2])
    let four = all[0].combineLatest(all[1], all[2], all[3])
    #expect(two.value == (0, 1))
    subjects[0].value = 10
    subjects[3].value = 13
    #expect(two.value == (10, 1))
    #expect(three.value == (10, 1, 2))
    #expect(four.value == (10, 1, 2, 13))
  }

  @Test func transforms() {
    let all = properties
    let two = all[0].combineLatest(all[1]) { $0 - $1 }
    let three = all[0].combineLatest(all[1], all[2]) { [$0, $1, $2] }
    let four = all[0].combineLatest(all[1], all[2], all[3]) { [$0, $1, $2, $3] }
    subjects[1].value = 11
    #expect(two.value == -11)
    #expect(three.value == [0, 11, 2])
    #expect(four.value == [0, 11, 2, 3])
  }

  @Test func ofCollections() {
    let all = properties
    let logs = [
      Log(all[0].combineLatest(with: all[1...2]).allValues),
      Log(all[0...2].combineLatest(emptySentinel: -1).allValues),
      Log(Property<Int>.combineLatest(all[0...2], emptySentinel: -1).allValues),
    ]
    subjects[2].value = 12
    for log in logs { #expect(log.values == [[0, 1, 2], [0, 1, 12]]) }
    #expect([Property<Int>]().combineLatest(emptySentinel: -1).value == [-1])
    #expect([all[1]].combineLatest(emptySentinel: -1).value == [1])
  }

  @Test func completesWhenBothHave() {
    let all = properties
    let log = Log(all[0].combineLatest(all[1]) { $0 + $1 }.allValues)
    subjects[0].send(completion: .finished)
    #expect(!log.isFinished)
    subjects[1].value = 5
    subjects[1].send(completion: .finished)
    #expect(log.values == [1, 5])
    #expect(log.isFinished)
  }

  @Test func withAConstant() {
    let log = Log(Property(100).combineLatest(Property(subjects[1]), +).allValues)
    subjects[1].value = 2
    #expect(log.values == [101, 102])
  }
}
