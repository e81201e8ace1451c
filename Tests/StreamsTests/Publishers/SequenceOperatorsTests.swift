import Streams
import StreamsTesting
import Testing

@Suite struct SequenceOperatorsTests {
  private let none = Int?.none.publisher
  private let nothing = EmptyCollection<Int>().publisher

  private func some<Value>(_ value: Value) -> Value?.Publisher { Optional(value).publisher }

  private func success<Value>(_ value: Value) -> Result<Value, Never>.Publisher { .init(value) }

  @Test func compares() {
    #expect([3, 5, -1, 2].publisher.min() == some(-1))
    #expect([3, 5, -1, 2].publisher.max() == some(5))
    #expect([3, 5, -1, 2].publisher.min(by: >) == some(5))
    #expect([3, 5, -1, 2].publisher.max(by: >) == some(-1))
    #expect(nothing.min() == none)
    #expect(nothing.max(by: <) == none)
  }

  @Test func matches() throws {
    #expect((1...3).publisher.allSatisfy { $0 < 3 } == success(false))
    #expect((1...3).publisher.contains { $0 == 3 } == success(true))
    #expect((1...3).publisher.contains(4) == success(false))
    #expect(try (1...3).publisher.tryAllSatisfy { $0 < 4 }.result.get())
    #expect(try (1...3).publisher.tryContains { $0 == 3 }.result.get())
    #expect(try nothing.tryAllSatisfy(failing).result.get())
    #expect(throws: TestFailure()) { try (1...3).publisher.tryAllSatisfy(failing).result.get() }
    #expect(throws: TestFailure()) { try (1...3).publisher.tryContains(where: failing).result.get() }
  }

  @Test func reduces() throws {
    #expect((1...4).publisher.collect() == success([1, 2, 3, 4]))
    #expect((1...4).publisher.reduce(10, -) == success(0))
    #expect(try (1...4).publisher.tryReduce(10, -).result.get() == 0)
    #expect(try nothing.tryReduce(10, failing).result.get() == 10)
    #expect(throws: TestFailure()) { try (1...4).publisher.tryReduce(10, failing).result.get() }
    #expect((1...4).publisher.ignoreOutput() == Empty())
  }

  @Test func transforms() {
    #expect((1...3).publisher.map { $0 * 2 } == [2, 4, 6].publisher)
    #expect(["1", "x", "3"].publisher.compactMap { Int($0) } == [1, 3].publisher)
    #expect([1, nil, 3].publisher.replaceNil(with: 2) == [1, 2, 3].publisher)
    #expect((1...4).publisher.scan(0, +) == [1, 3, 6, 10].publisher)
    #expect([1].publisher.setFailureType(to: TestFailure.self) == Publishers.Sequence(sequence: [1]))
  }

  @Test func selects() {
    #expect((0..<10).publisher.filter { $0.isMultiple(of: 3) } == [0, 3, 6, 9].publisher)
    #expect([0, 0, 1, 0, 1, 1, 2].publisher.removeDuplicates() == [0, 1, 0, 1, 2].publisher)
    #expect(Array((0..<7).publisher.drop { $0 < 5 }.sequence) == [5, 6])
    #expect(Array((0..<4).publisher.dropFirst().sequence) == [1, 2, 3])
    #expect(Array((0..<4).publisher.dropFirst(3).sequence) == [3])
    #expect(Array((0..<9).publisher.prefix(3).sequence) == [0, 1, 2])
    #expect((0..<9).publisher.prefix { $0 < 3 } == [0, 1, 2].publisher)
    #expect((1..<9).publisher.first { $0.isMultiple(of: 4) } == some(4))
  }

  /// Closures are called when the operator is applied, as often as it takes, and not when somebody
  /// subscribes.
  @Test func callsItsClosuresWhenItIsApplied() {
    let calls = CallCounter()
    let small = calls.counting { (value: Int) in value < 3 }
    let sum = calls.counting { (sum: Int, value: Int) in sum + value }
    let numbers = (1...5).publisher
    expect(calls, 5, numbers.map(calls.counting { -$0 }))
    expect(calls, 5, numbers.compactMap(calls.counting { Optional($0) }))
    expect(calls, 5, numbers.filter(small))
    expect(calls, 5, numbers.reduce(0, sum))
    expect(calls, 5, numbers.tryReduce(0, sum))
    expect(calls, 5, numbers.scan(0, sum))
    expect(calls, 4, numbers.min(by: calls.counting(<)))
    expect(calls, 4, numbers.max(by: calls.counting(<)))
    // These stop when they know.
    expect(calls, 3, numbers.allSatisfy(small))
    expect(calls, 3, numbers.tryAllSatisfy(small))
    expect(calls, 1, numbers.contains(where: small))
    expect(calls, 1, numbers.tryContains(where: small))
    expect(calls, 1, numbers.first(where: small))
    expect(calls, 3, numbers.prefix(while: small))
    expect(calls, 3, numbers.drop(while: small))
  }

  private func expect(
    _ calls: CallCounter, _ count: Int, _ publisher: some Publisher,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(calls.count == count, sourceLocation: sourceLocation)
    for _ in 0..<2 {
      publisher.sink { _ in
      } receiveValue: { _ in
      }.cancel()
    }
    #expect(calls.count == count, sourceLocation: sourceLocation)
    calls.reset()
  }
}
