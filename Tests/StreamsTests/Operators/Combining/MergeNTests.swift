import Streams
import StreamsTesting
import Testing

/// The types for three to eight publishers; what they do is among the tests of merge.
@Suite struct MergeNTests {
  @Test func growUpToEight() {
    let s = (0..<8).map { Just($0) }
    let merge2 = Publishers.Merge(s[0], s[1])
    let merge3: Publishers.Merge3 = merge2.merge(with: s[2])
    let merge4: Publishers.Merge4 = merge2.merge(with: s[2], s[3])
    let merge5: Publishers.Merge5 = merge3.merge(with: s[3], s[4])
    let merge6: Publishers.Merge6 = merge4.merge(with: s[4], s[5])
    let merge7: Publishers.Merge7 = merge5.merge(with: s[5], s[6])
    let merge8 = merge7.merge(with: s[7])
    #expect(merge8 == merge6.merge(with: s[6], s[7]))
    #expect(merge8 == merge2.merge(with: s[2], s[3], s[4], s[5], s[6], s[7]))
    #expect(merge8 == merge3.merge(with: s[3], s[4], s[5], s[6], s[7]))
    #expect(merge8 == s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6], s[7]))
  }

  @Test func sendTheValuesOfAllTheirPublishers() {
    let s = (0..<8).map { Just($0) }
    let merge8 = Publishers.Merge8(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
    #expect(values(of: Publishers.Merge3(s[0], s[1], s[2])) == [0, 1, 2])
    #expect(values(of: Publishers.Merge4(s[0], s[1], s[2], s[3])) == [0, 1, 2, 3])
    #expect(values(of: Publishers.Merge5(s[0], s[1], s[2], s[3], s[4])) == [0, 1, 2, 3, 4])
    #expect(values(of: Publishers.Merge6(s[0], s[1], s[2], s[3], s[4], s[5])) == Array(0..<6))
    #expect(values(of: Publishers.Merge7(s[0], s[1], s[2], s[3], s[4], s[5], s[6])) == Array(0..<7))
    #expect(values(of: merge8) == Array(0..<8))
  }

  @Test func differWhenOneOfTheirPublishersDoes() {
    let s = (0..<8).map { Just($0) }
    let merge8 = Publishers.Merge8(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
    for index in 0..<8 {
      var other = s
      other[index] = Just(9)
      let changed = Publishers.Merge8(
        other[0], other[1], other[2], other[3], other[4], other[5], other[6], other[7])
      #expect(merge8 != changed)
    }
  }

  private func values<P: Publisher<Int, Never>>(of publisher: P) -> [Int] {
    let recorder = RecordingSubscriber<Int, Never>()
    publisher.subscribe(recorder)
    #expect(recorder.completions == [.finished])
    return recorder.values
  }
}
