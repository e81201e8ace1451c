import Glibc
import Streams
import TestThreads
import Testing

/// How many operators in a row the documentation promises to fit on a stack, in a build without optimization too.
@Suite struct DepthTests {
  @Test(arguments: Nesting.all)
  func fiveHundredFitOnAnOrdinaryStack(_ nesting: Nesting) {
    onStack(ofKilobytes: 8 << 10) { nesting.expectDelivery(depth: 500) }
  }

  @Test(arguments: Nesting.all)
  func thirtyFitOnASmallStack(_ nesting: Nesting) {
    onStack(ofKilobytes: 512) { nesting.expectDelivery(depth: 30) }
  }
}

/// An operator around any publisher.
struct Nesting: @unchecked Sendable, CustomTestStringConvertible {
  typealias Numbers = AnyPublisher<Int, TestFailure>

  let testDescription: String
  let wrap: (Numbers) -> Numbers

  init<P: Publisher<Int, TestFailure>>(_ name: String, _ wrap: @escaping (Numbers) -> P) {
    testDescription = name
    self.wrap = { wrap($0).eraseToAnyPublisher() }
  }

  /// Builds it, runs it to its end, runs it until it is cancelled, releases it.
  func expectDelivery(depth: Int) {
    var publisher: Numbers = Just(1).setFailureType(to: TestFailure.self).eraseToAnyPublisher()
    for _ in 0..<depth { publisher = wrap(publisher) }
    var isComplete = false
    var count = 0
    let cancellable = publisher.sink(
      receiveCompletion: { _ in isComplete = true }, receiveValue: { _ in count += 1 })
    #expect(isComplete)
    #expect(count > 0)
    cancellable.cancel()
    publisher.prefix(1).sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
  }

  static let all: [Nesting] = [
    Nesting("map") { $0.map { $0 + 1 } },
    Nesting("tryMap") { $0.tryMap { $0 + 1 }.mapError { _ in TestFailure() } },
    Nesting("filter") { $0.filter { $0 > 0 } },
    Nesting("scan") { $0.scan(0, +) },
    Nesting("first") { $0.first() },
    Nesting("append") { $0.append(1) },
    Nesting("prepend") { $0.prepend(1) },
    Nesting("catch") { $0.catch { _ in Empty() } },
    Nesting("retry") { $0.retry(1) },
    Nesting("merge") { $0.merge(with: Empty()) },
    Nesting("zip") { $0.zip(.just) { $0 + $1 } },
    Nesting("combineLatest") { $0.combineLatest(.just) { $0 + $1 } },
    Nesting("flatMap") { $0.flatMap { Just($0) } },
    Nesting("switchToLatest") { $0.map { Just($0) }.switchToLatest() },
    Nesting("buffer") { $0.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest) },
    Nesting("share") { $0.share() },
    Nesting("receive(on:)") { $0.receive(on: ImmediateScheduler.shared) },
  ]
}

extension Publisher where Self == Nesting.Numbers {
  fileprivate static var just: Self {
    Just(1).setFailureType(to: TestFailure.self).eraseToAnyPublisher()
  }
}
