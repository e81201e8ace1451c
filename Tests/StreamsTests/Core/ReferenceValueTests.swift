import Streams
import StreamsTesting
import Testing

/// Values that hold references go through operators singly and in batches without a reference too many or too few.
@Suite struct ReferenceValueTests {
  typealias Tokens = PassthroughSubject<LifetimeToken, Never>

  /// Sends one token and then 150 in a batch, of which the operator is to pass on `passed`.
  private func expectBalanced<P: Publisher>(
    passed: Int = 151, _ build: (Tokens) -> P, sourceLocation: SourceLocation = #_sourceLocation
  ) where P.Output == LifetimeToken {
    let lifetimes = LifetimeTracker()
    var count = 0
    do {
      let subject = Tokens()
      let cancellable = build(subject).sink(
        receiveCompletion: { _ in },
        receiveValue: { token in
          token.keep()
          count += 1
        })
      do {
        let tokens = (0..<150).map { _ in lifetimes.token() }
        subject.send(lifetimes.token())
        tokens.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
        #expect(lifetimes.liveCount >= 150, sourceLocation: sourceLocation)
      }
      // An operator may hold the last value.
      #expect(lifetimes.liveCount <= 1, sourceLocation: sourceLocation)
      withExtendedLifetime(cancellable) {}
    }
    #expect(lifetimes.liveCount == 0, sourceLocation: sourceLocation)
    #expect(count == passed, sourceLocation: sourceLocation)
  }

  /// True for every second call.
  private func everySecond() -> () -> Bool {
    var isOdd = false
    return {
      isOdd.toggle()
      return isOdd
    }
  }

  @Test func sinkHoldsNone() {
    expectBalanced { $0 }
  }

  @Test func transformedValuesAreReleased() {
    expectBalanced { $0.map { $0 } }
    expectBalanced { $0.map(\.self) }
    expectBalanced { $0.map { [$0] }.eraseToAnyPublisher().map { $0[0] } }
    expectBalanced { $0.scan(nil) { $1 }.map { $0! } }
    expectBalanced { $0.tryMap { $0 } }
  }

  @Test func droppedValuesAreReleased() {
    let isOdd = everySecond()
    expectBalanced(passed: 76) { $0.filter { _ in isOdd() } }
    expectBalanced(passed: 75) { $0.tryFilter { _ in isOdd() } }
    expectBalanced(passed: 76) { $0.compactMap { isOdd() ? $0 : nil } }
    expectBalanced(passed: 75) { $0.tryCompactMap { isOdd() ? $0 : nil } }
    expectBalanced(passed: 1) { $0.removeDuplicates { _, _ in true } }
    expectBalanced(passed: 151) { $0.removeDuplicates { _, _ in false } }
  }

  @Test func valuesBeforeAnErrorAreReleased() {
    for limit in [1, 2, 65, 100] {
      var count = 0
      let step: (LifetimeToken) throws -> LifetimeToken = { token in
        count += 1
        if count > limit { throw TestFailure() }
        return token
      }
      expectBalanced(passed: limit) { $0.tryMap(step) }
      count = 0
      expectBalanced(passed: limit) { $0.tryCompactMap(step) }
      count = 0
      expectBalanced(passed: limit) {
        $0.tryFilter {
          _ = try step($0)
          return true
        }
      }
    }
  }
}
