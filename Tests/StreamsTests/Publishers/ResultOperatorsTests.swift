import Streams
import StreamsTesting
import Testing

@Suite struct ResultOperatorsTests {
  private typealias Sut<Value> = Result<Value, TestFailure>.Publisher

  private let some = Sut(1)
  private let failure = Sut<Int>(TestFailure())

  @Test func selects() throws {
    let calls = CallCounter()
    for publisher in [some, failure] {
      #expect(publisher.min() == publisher)
      #expect(publisher.max() == publisher)
      #expect(publisher.min(by: calls.counting(>)) == publisher)
      #expect(publisher.max(by: calls.counting(>)) == publisher)
      #expect(publisher.removeDuplicates() == publisher)
      #expect(publisher.removeDuplicates(by: calls.counting(==)) == publisher)
      #expect(publisher.first() == publisher)
      #expect(publisher.last() == publisher)
      #expect(publisher.replaceEmpty(with: 2) == publisher)
      #expect(publisher.retry(2) == publisher)
      #expect(publisher.ignoreOutput() == Empty())
    }
    #expect(calls.count == 0)
  }

  @Test func closuresThatMayThrowCompareTheValueWithItself() throws {
    let calls = CallCounter()
    #expect(try some.tryMin(by: calls.counting(<)).result.get() == 1)
    #expect(try some.tryMax(by: calls.counting(<)).result.get() == 1)
    #expect(try some.tryRemoveDuplicates(by: calls.counting(==)).result.get() == 1)
    #expect(calls.count == 3)
    #expect(throws: TestFailure()) { try some.tryMin(by: failing).result.get() }
    #expect(throws: TestFailure()) { try some.tryMax(by: failing).result.get() }
    #expect(throws: TestFailure()) { try some.tryRemoveDuplicates(by: failing).result.get() }
    #expect(throws: TestFailure()) { try failure.tryMin(by: calls.counting(<)).result.get() }
    #expect(calls.count == 3)
  }

  @Test func matches() throws {
    #expect(some.contains(1) == Sut(true))
    #expect(failure.contains(1) == Sut(TestFailure()))
    #expect(some.contains { $0 > 1 } == Sut(false))
    #expect(some.allSatisfy { $0 > 0 } == Sut(true))
    #expect(try some.tryContains { $0 > 0 }.result.get())
    #expect(try !some.tryAllSatisfy { $0 > 1 }.result.get())
    #expect(throws: TestFailure()) { try some.tryContains(where: failing).result.get() }
    #expect(throws: TestFailure()) { try some.tryAllSatisfy(failing).result.get() }
  }

  @Test func transforms() throws {
    #expect(some.map(String.init) == Sut("1"))
    #expect(failure.map(String.init) == Sut(TestFailure()))
    #expect(try some.tryMap(String.init).result.get() == "1")
    #expect(throws: TestFailure()) { try some.tryMap(failing).result.get() as Int }
    #expect(throws: TestFailure()) { try failure.tryMap(String.init).result.get() }
    #expect(some.collect() == Sut([1]))
    #expect(failure.collect() == Sut(TestFailure()))
    #expect(Sut(9).count() == Sut(1))
    #expect(Sut(4).reduce(2, -) == Sut(-2))
    #expect(Sut(4).scan(2, -) == Sut(-2))
    #expect(try Sut(4).tryReduce(2, -).result.get() == -2)
    #expect(try Sut(4).tryScan(2, -).result.get() == -2)
    #expect(throws: TestFailure()) { try some.tryReduce(2, failing).result.get() }
    #expect(throws: TestFailure()) { try some.tryScan(2, failing).result.get() }
  }

  @Test func changesFailures() {
    struct Other: Error, Equatable {}
    #expect(some.mapError { _ in Other() } == Result.success(1).publisher)
    #expect(failure.mapError { _ in Other() } == Result.failure(Other()).publisher)
    #expect(some.replaceError(with: 2) == Result.success(1).publisher)
    #expect(failure.replaceError(with: 2) == Result.success(2).publisher)
    #expect(Result<Int, Never>.success(1).publisher.setFailureType(to: TestFailure.self) == some)
  }

  /// A closure is called when the operator is applied, once, and not when somebody subscribes.
  @Test func callsItsClosuresOnceAndAtOnce() {
    let calls = CallCounter()
    let small = calls.counting { (value: Int) in value < 3 }
    let sum = calls.counting { (sum: Int, value: Int) in sum + value }
    expectCalledOnce(calls, some.allSatisfy(small), sending: true)
    expectCalledOnce(calls, some.tryAllSatisfy(small), sending: true)
    expectCalledOnce(calls, some.contains(where: small), sending: true)
    expectCalledOnce(calls, some.tryContains(where: small), sending: true)
    expectCalledOnce(calls, some.map(calls.counting { (value: Int) in -value }), sending: -1)
    expectCalledOnce(calls, some.tryMap(calls.counting { (value: Int) in -value }), sending: -1)
    expectCalledOnce(calls, some.reduce(2, sum), sending: 3)
    expectCalledOnce(calls, some.tryReduce(2, sum), sending: 3)
    expectCalledOnce(calls, some.scan(2, sum), sending: 3)
    expectCalledOnce(calls, some.tryScan(2, sum), sending: 3)
    expectCalledOnce(calls, some.tryMin(by: calls.counting(<)), sending: 1)
    expectCalledOnce(calls, some.tryMax(by: calls.counting(<)), sending: 1)
    expectCalledOnce(calls, some.tryRemoveDuplicates(by: calls.counting(==)), sending: 1)
  }

  @Test func callsNothingForAFailure() {
    let calls = CallCounter()
    let small = calls.counting { (value: Int) in value < 3 }
    let sum = calls.counting { (sum: Int, value: Int) in sum + value }
    #expect(failure.allSatisfy(small) == Sut(TestFailure()))
    #expect(failure.contains(where: small) == Sut(TestFailure()))
    #expect(failure.count() == failure)
    #expect(failure.reduce(2, sum) == failure)
    #expect(failure.scan(2, sum) == failure)
    #expect(throws: TestFailure()) { try failure.tryAllSatisfy(small).result.get() }
    #expect(throws: TestFailure()) { try failure.tryContains(where: small).result.get() }
    #expect(throws: TestFailure()) { try failure.tryReduce(2, sum).result.get() }
    #expect(throws: TestFailure()) { try failure.tryScan(2, sum).result.get() }
    #expect(throws: TestFailure()) { try failure.tryMax(by: calls.counting(<)).result.get() }
    #expect(throws: TestFailure()) { try failure.tryRemoveDuplicates(by: calls.counting(==)).result.get() }
    #expect(calls.count == 0)
    _ = some.mapError(calls.counting { $0 })
    #expect(calls.count == 0)
    _ = failure.mapError(calls.counting { $0 })
    #expect(calls.count == 1)
  }
}
