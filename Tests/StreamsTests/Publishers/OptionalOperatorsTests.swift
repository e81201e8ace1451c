import Streams
import StreamsTesting
import Testing

@Suite struct OptionalOperatorsTests {
  private let none = Int?.none.publisher

  private func some<Value>(_ value: Value) -> Value?.Publisher { Optional(value).publisher }

  @Test func selects() {
    let calls = CallCounter()
    for publisher in [some(1), none] {
      #expect(publisher.min() == publisher)
      #expect(publisher.max() == publisher)
      #expect(publisher.min(by: calls.counting(>)) == publisher)
      #expect(publisher.max(by: calls.counting(>)) == publisher)
      #expect(publisher.removeDuplicates() == publisher)
      #expect(publisher.removeDuplicates(by: calls.counting(==)) == publisher)
      #expect(publisher.first() == publisher)
      #expect(publisher.last() == publisher)
      #expect(publisher.ignoreOutput() == Empty())
    }
    #expect(calls.count == 0)
    for value in [1, -1, nil] {
      let kept = value.flatMap { $0 > 0 ? $0 : nil }
      let isPositive = calls.counting { (value: Int) in value > 0 }
      #expect(value.publisher.filter(isPositive) == kept.publisher)
      #expect(value.publisher.first(where: isPositive) == kept.publisher)
      #expect(value.publisher.last(where: isPositive) == kept.publisher)
      #expect(value.publisher.prefix(while: isPositive) == kept.publisher)
      #expect(value.publisher.drop(while: isPositive) == (kept == nil ? value : nil).publisher)
    }
    #expect(calls.count == 10)
  }

  @Test func selectsByPosition() {
    #expect(some(7).dropFirst() == none)
    #expect(some(7).dropFirst(0) == some(7))
    #expect(some(7).prefix(0) == none)
    #expect(some(7).prefix(9) == some(7))
    #expect(some(7).output(at: 0) == some(7))
    #expect(some(7).output(at: 1) == none)
    #expect(some(7).output(in: 0...0) == some(7))
    #expect(some(7).output(in: 0..<0) == none)
    #expect(some(7).output(in: 1..<9) == none)
    #expect(some(7).output(in: 0..<(.max - 2)) == some(7))
    #expect(none.output(in: ...3) == none)
  }

  @Test func trapsOnImpossiblePositions() async {
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.output(in: -1...4) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.output(in: 0..<(.max - 1)) }
  }

  @Test func matches() {
    #expect(some(1).contains(1) == some(true))
    #expect(some(1).contains(2) == some(false))
    #expect(none.contains(1) == Bool?.none.publisher)
    #expect(some(1).contains { $0 > 1 } == some(false))
    #expect(some(1).allSatisfy { $0 > 0 } == some(true))
    #expect(none.allSatisfy { $0 > 0 } == Bool?.none.publisher)
  }

  @Test func transforms() {
    #expect(some(1).map(String.init) == some("1"))
    #expect(none.map(String.init) == String?.none.publisher)
    #expect(some("1").compactMap { Int($0) } == some(1))
    #expect(some("x").compactMap { Int($0) } == none)
    #expect(some(1).collect() == some([1]))
    #expect(none.collect() == some([]))
    #expect(some(9).count() == some(1))
    #expect(none.count() == none)
    #expect(some(4).reduce(2, -) == some(-2))
    #expect(none.reduce(2, -) == none)
    #expect(some(4).scan(2, -) == some(-2))
    #expect(none.scan(2, -) == none)
  }

  @Test func replaces() {
    #expect(some(1).replaceEmpty(with: 2) == Just(1))
    #expect(none.replaceEmpty(with: 2) == Just(2))
    #expect(none.replaceError(with: 2) == none)
    #expect(some(1).retry(2) == some(1))
  }

  /// A closure is called when the operator is applied, once, not when somebody subscribes, and not without a
  /// value.
  @Test func callsItsClosuresOnceAndAtOnce() {
    let calls = CallCounter()
    let small = calls.counting { (value: Int) in value < 3 }
    let sum = calls.counting { (sum: Int, value: Int) in sum + value }
    expectCalledOnce(calls, some(1).allSatisfy(small), sending: true)
    expectCalledOnce(calls, some(1).contains(where: small), sending: true)
    expectCalledOnce(calls, some(1).filter(small), sending: 1)
    expectCalledOnce(calls, some(1).first(where: small), sending: 1)
    expectCalledOnce(calls, some(1).last(where: small), sending: 1)
    expectCalledOnce(calls, some(5).drop(while: small), sending: 5)
    expectCalledOnce(calls, some(1).prefix(while: small), sending: 1)
    expectCalledOnce(calls, some(1).map(calls.counting { (value: Int) in -value }), sending: -1)
    expectCalledOnce(calls, some(1).compactMap(calls.counting { Optional($0) }), sending: 1)
    expectCalledOnce(calls, some(1).reduce(2, sum), sending: 3)
    expectCalledOnce(calls, some(1).scan(2, sum), sending: 3)

    _ = (none.allSatisfy(small), none.contains(where: small), none.filter(small), none.first(where: small))
    _ = (none.last(where: small), none.drop(while: small), none.prefix(while: small), none.map(small))
    _ = (none.compactMap(calls.counting { Optional($0) }), none.reduce(2, sum), none.scan(2, sum))
    #expect(calls.count == 0)
  }
}
