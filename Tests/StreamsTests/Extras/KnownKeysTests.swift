import StreamsTesting
import Testing

@testable import StreamsExtras

@Suite struct KnownKeysTests {
  @Test func equalKeysHaveOneNumber() {
    let keys = KnownKeys<String>()
    let found = ["a", "b", "a", "c", "b"].map { keys.find($0, hash: 7, by: ==) }
    #expect(found.map(\.number) == [0, 1, 0, 2, 1])
    #expect(found.map(\.isNew) == [true, true, false, true, false])
    #expect((0..<3).map { keys[$0] } == ["a", "b", "c"])
  }

  @Test func keysWithOtherHashesAreNotCompared() {
    let keys = KnownKeys<Int>()
    for key in 0..<100 {
      _ = keys.find(key, hash: key) { first, second in
        Issue.record("compared \(first) with \(second)")
        return false
      }
    }
  }

  @Test func aComparisonThatFailsAddsNothing() {
    let keys = KnownKeys<Int>()
    _ = keys.find(1, hash: 0, by: ==)
    #expect(throws: TestFailure.self) {
      try keys.find(2, hash: 0) { _, _ throws(TestFailure) in throw TestFailure() }
    }
    #expect(keys.find(3, hash: 0, by: ==).number == 1)
  }

  @Test func aKeyThatAComparisonAddsIsFound() {
    let keys = KnownKeys<Int>()
    _ = keys.find(1, hash: 0, by: ==)
    let found = keys.find(2, hash: 0) { first, second in
      if first == 1 { _ = keys.find(2, hash: 0, by: ==) }
      return first == second
    }
    #expect(found == (number: 1, isNew: false))
  }

  @Test func aComparisonMayRemoveAllKeys() {
    let keys = KnownKeys<Int>()
    for key in 0..<3 { _ = keys.find(key, hash: 0, by: ==) }
    let found = keys.find(3, hash: 0) { _, _ in
      _ = keys.removeAll()
      return false
    }
    #expect(found == (number: 0, isNew: true))
  }
}
