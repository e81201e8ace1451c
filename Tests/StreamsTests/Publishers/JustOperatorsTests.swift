import Streams
import StreamsTesting
import Testing

@Suite struct JustOperatorsTests {
  private let none = Int?.none.publisher

  @Test func selects() {
    let calls = CallCounter()
    #expect(Just(1).min() == Just(1))
    #expect(Just(1).max() == Just(1))
    #expect(Just(1).min(by: calls.counting(>)) == Just(1))
    #expect(Just(1).max(by: calls.counting(>)) == Just(1))
    #expect(Just(1).removeDuplicates() == Just(1))
    #expect(Just(1).removeDuplicates(by: calls.counting(==)) == Just(1))
    #expect(calls.count == 0)
    #expect(Just(1).first() == Just(1))
    #expect(Just(1).last() == Just(1))
    for value in [1, -1] {
      let kept: Int? = value > 0 ? value : nil
      let isPositive = calls.counting { (value: Int) in value > 0 }
      #expect(Just(value).filter(isPositive) == kept.publisher)
      #expect(Just(value).first(where: isPositive) == kept.publisher)
      #expect(Just(value).last(where: isPositive) == kept.publisher)
      #expect(Just(value).prefix(while: isPositive) == kept.publisher)
      #expect(Just(value).drop(while: isPositive) == (kept == nil ? value : nil).publisher)
    }
    #expect(calls.count == 10)
    #expect(Just(1).ignoreOutput() == Empty())
  }

  @Test func selectsByPosition() {
    #expect(Just(7).dropFirst() == none)
    #expect(Just(7).dropFirst(0) == Optional(7).publisher)
    #expect(Just(7).prefix(0) == none)
    #expect(Just(7).prefix(100) == Optional(7).publisher)
    #expect(Just(7).output(at: 0) == Optional(7).publisher)
    #expect(Just(7).output(at: 1) == none)
    #expect(Just(7).output(in: 0...3) == Optional(7).publisher)
    #expect(Just(7).output(in: 1...3) == none)
    #expect(Just(7).output(in: -1...3) == none)
    // Combine looks at where the range begins only.
    #expect(Just(7).output(in: 0..<0) == Optional(7).publisher)
  }

  @Test func trapsOnImpossiblePositions() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).output(at: -1) }
  }

  @Test func matches() throws {
    #expect(Just(1).contains(1) == Just(true))
    #expect(Just(1).contains(2) == Just(false))
    #expect(Just(1).contains { $0 > 1 } == Just(false))
    #expect(Just(1).allSatisfy { $0 > 0 } == Just(true))
    #expect(try Just(1).tryContains { $0 > 0 }.result.get())
    #expect(try !Just(1).tryAllSatisfy { $0 > 1 }.result.get())
    #expect(throws: TestFailure()) { try Just(1).tryContains(where: failing).result.get() }
    #expect(throws: TestFailure()) { try Just(1).tryAllSatisfy(failing).result.get() }
  }

  @Test func transforms() throws {
    #expect(Just(1).map(String.init) == Just("1"))
    #expect(try Just(1).tryMap(String.init).result.get() == "1")
    #expect(throws: TestFailure()) { try Just(1).tryMap(failing).result.get() as Int }
    #expect(Just("1").compactMap { Int($0) } == Optional(1).publisher)
    #expect(Just("x").compactMap { Int($0) } == Int?.none.publisher)
    #expect(Just(1).collect() == Just([1]))
    #expect(Just(1).count() == Just(1))
    #expect(Just(4).reduce(2, -) == Result.success(-2).publisher)
    #expect(Just(4).scan(2, -) == Result.success(-2).publisher)
    #expect(try Just(4).tryReduce(2, -).result.get() == -2)
    #expect(try Just(4).tryScan(2, -).result.get() == -2)
    #expect(throws: TestFailure()) { try Just(4).tryReduce(2, failing).result.get() }
    #expect(throws: TestFailure()) { try Just(4).tryScan(2, failing).result.get() }
  }

  @Test func comparesWithItselfWhereThatMayThrow() throws {
    var pairs: [[Int]] = []
    let same = Just(4).tryRemoveDuplicates { first, second in
      pairs.append([first, second])
      return false
    }
    #expect(try same.result.get() == 4)
    #expect(pairs == [[4, 4]])
    #expect(throws: TestFailure()) { try Just(4).tryRemoveDuplicates(by: failing).result.get() }
  }

  @Test func cannotFailNorBeEmpty() {
    #expect(Just(1).setFailureType(to: TestFailure.self) == Result.success(1).publisher)
    #expect(Just(1).mapError { _ -> TestFailure in } == Result.success(1).publisher)
    #expect(Just(1).replaceError(with: 2) == Just(1))
    #expect(Just(1).replaceEmpty(with: 2) == Just(1))
    #expect(Just(1).retry(3) == Just(1))
  }

  @Test func takesMoreValues() {
    #expect(Just(3).prepend(1, 2) == [1, 2, 3].publisher)
    #expect(Just(3).prepend(1...2) == [1, 2, 3].publisher)
    #expect(Just(1).append(2, 3) == [1, 2, 3].publisher)
    #expect(Just(1).append(2...3) == [1, 2, 3].publisher)
  }

  /// A closure is called when the operator is applied, once, and not when somebody subscribes.
  @Test func callsItsClosuresOnceAndAtOnce() {
    let calls = CallCounter()
    let small = calls.counting { (value: Int) in value < 3 }
    let sum = calls.counting { (sum: Int, value: Int) in sum + value }
    let name = calls.counting { (value: Int) in "\(value)" }
    expectCalledOnce(calls, Just(1).allSatisfy(small), sending: true)
    expectCalledOnce(calls, Just(1).tryAllSatisfy(small), sending: true)
    expectCalledOnce(calls, Just(1).contains(where: small), sending: true)
    expectCalledOnce(calls, Just(1).tryContains(where: small), sending: true)
    expectCalledOnce(calls, Just(1).filter(small), sending: 1)
    expectCalledOnce(calls, Just(1).first(where: small), sending: 1)
    expectCalledOnce(calls, Just(1).last(where: small), sending: 1)
    expectCalledOnce(calls, Just(5).drop(while: small), sending: 5)
    expectCalledOnce(calls, Just(1).prefix(while: small), sending: 1)
    expectCalledOnce(calls, Just(1).map(name), sending: "1")
    expectCalledOnce(calls, Just(1).tryMap(name), sending: "1")
    expectCalledOnce(calls, Just(1).compactMap(calls.counting { Optional($0) }), sending: 1)
    expectCalledOnce(calls, Just(1).reduce(2, sum), sending: 3)
    expectCalledOnce(calls, Just(1).tryReduce(2, sum), sending: 3)
    expectCalledOnce(calls, Just(1).scan(2, sum), sending: 3)
    expectCalledOnce(calls, Just(1).tryScan(2, sum), sending: 3)
    expectCalledOnce(calls, Just(1).tryRemoveDuplicates(by: calls.counting(==)), sending: 1)
  }
}
