import Streams
import StreamsTesting
import Testing

/// Numbers that write down which of a collection's members are called.
private struct WatchedNumbers: RandomAccessCollection {
  private final class Log { var calls: [String] = [] }

  private let base: Range<Int>
  private let log = Log()

  init(_ base: Range<Int>) { self.base = base }

  var calls: [String] { log.calls }

  private func called<Result>(_ result: Result, as name: String = #function) -> Result {
    log.calls.append(name)
    return result
  }

  var startIndex: Int { called(base.startIndex) }
  var endIndex: Int { called(base.endIndex) }
  var count: Int { called(base.count) }
  subscript(position: Int) -> Int { called(base[position], as: "subscript") }
  func index(after i: Int) -> Int { called(i + 1) }
  func index(before i: Int) -> Int { called(i - 1) }
  func makeIterator() -> Range<Int>.Iterator { called(base.makeIterator()) }
}

@Suite struct CollectionOperatorsTests {
  private let none = Int?.none.publisher
  private let nothing = EmptyCollection<Int>().publisher

  private func some<Value>(_ value: Value) -> Value?.Publisher { Optional(value).publisher }

  private func success<Value>(_ value: Value) -> Result<Value, Never>.Publisher { .init(value) }

  @Test func selects() {
    #expect((1..<9).publisher.last { $0.isMultiple(of: 4) } == some(8))
    #expect((1..<9).publisher.first() == some(1))
    #expect((1..<9).publisher.last() == some(8))
    #expect(nothing.first() == none)
    #expect(nothing.last() == none)
    #expect([7, 8, 9].publisher.output(at: 1) == some(8))
    #expect([7, 8, 9].publisher.output(at: 3) == none)
    #expect([7, 8, 9].publisher.output(at: -1) == none)
    #expect([7, 8, 9].publisher.output(in: 1..<3) == [8, 9].publisher)
    #expect("abc".publisher.output(at: "abc".startIndex) == Optional("a" as Character).publisher)
    #expect("abc".publisher.last() == Optional("c" as Character).publisher)
    let failing = [7, 8, 9].publisher.setFailureType(to: TestFailure.self)
    #expect(failing.output(in: 0..<2) == Publishers.Sequence(sequence: [7, 8]))
  }

  @Test func takesEndsWithoutWalking() {
    let numbers = WatchedNumbers(3..<9)
    #expect(numbers.publisher.first() == some(3))
    #expect(numbers.publisher.last() == some(8))
    #expect(numbers.publisher.output(at: 5) == some(5))
    #expect(Set(numbers.calls).isSubset(of: ["startIndex", "endIndex", "subscript", "index(before:)"]))
  }

  /// It begins at the end.
  @Test func searchesBackwards() {
    let calls = CallCounter()
    #expect((1..<9).publisher.last(where: calls.counting { $0 < 7 }) == some(6))
    #expect(calls.count == 3)
    #expect(nothing.last(where: calls.counting { _ in true }) == none)
    #expect(calls.count == 3)
  }

  @Test func trapsOnRangesThatItDoesNotHave() async {
    await #expect(processExitsWith: .failure) { _ = [1, 2].publisher.output(in: 1..<3) }
  }

  @Test func countsWithoutWalking() {
    #expect((0..<Int.max).publisher.count() == Just(.max))
    #expect((1...9).lazy.filter { $0 > 6 }.publisher.count() == success(3))
    #expect(
      [1, 2].publisher.setFailureType(to: TestFailure.self).count() == Result.success(2).publisher)
    let watched = WatchedNumbers(0..<9)
    #expect(watched.publisher.count() == Just(9))
    #expect(watched.calls == ["count"])
  }

  @Test func joins() {
    #expect([3, 4].publisher.prepend(1, 2) == [1, 2, 3, 4].publisher)
    #expect([3, 4].publisher.prepend(1...2) == [1, 2, 3, 4].publisher)
    #expect([3, 4].publisher.prepend([1, 2].publisher) == [1, 2, 3, 4].publisher)
    #expect([1, 2].publisher.append(3, 4) == [1, 2, 3, 4].publisher)
    #expect([1, 2].publisher.append(3...4) == [1, 2, 3, 4].publisher)
    #expect([1, 2].publisher.append([3, 4].publisher) == [1, 2, 3, 4].publisher)
  }

  @Test func joinsWithAnyKindOfCollection() {
    let letters = "b".publisher
    #expect(letters.prepend("a") == "ab".publisher)
    #expect(letters.append(["c", "d"]) == "bcd".publisher)
    #expect(letters.append("x".publisher) == "bx".publisher)
    let failing = [1].publisher.setFailureType(to: TestFailure.self)
    #expect(failing.append(2).prepend(0) == Publishers.Sequence(sequence: [0, 1, 2]))
  }
}
