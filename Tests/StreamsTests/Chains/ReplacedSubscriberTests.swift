import Glibc
import StreamsTesting
import TestThreads
import Testing

@testable import Streams

/// Another thread replaces a subscriber while a value reaches it: the new one gets what follows, of an array as of single
/// values.
@Suite struct ReplacedSubscriberTests {
  /// Sends 1 to 4 through the operator. The first subscriber is replaced at this value.
  private func received(
    _ chain: PassingOperator, at place: Int, isCancelledFirst: Bool, asArray: Bool
  ) -> [[Int]] {
    let stage = ChainStage(ChainProgram(seed: 0, chains: [], steps: [[]], reactions: [:]))
    let subject = PassthroughSubject<Value, TestFailure>()
    let stream = chain(subject.eraseToAnyPublisher(), stage)
    let received = Lock([[Int]](repeating: [], count: 2))
    let cancellables = Lock<[AnyCancellable]>([])
    func subscribe(_ index: Int, _ react: @escaping (Int) -> Void) {
      let cancellable = stream.sink(receiveCompletion: { _ in }) { value in
        received.withLock { $0[index].append(value.number) }
        react(value.number)
      }
      cancellables.withLock { $0.append(cancellable) }
    }
    func cancel() { cancellables.withLock { $0[0] }.cancel() }
    subscribe(0) { number in
      guard number == place else { return }
      let thread = startThread {
        if isCancelledFirst { cancel() }
        subscribe(1) { _ in }
        if !isCancelledFirst { cancel() }
      }
      pthread_join(thread, nil)
    }
    let values = (1...4).map { Value($0) }
    if asArray {
      values.withUnsafeBufferPointer(subject.send(contentsOf:))
    } else {
      for value in values { subject.send(value) }
    }
    stage.clock.advance(by: 100)
    return received.withLock { $0 }
  }

  /// Each value makes a stream here: if another one is sent amid it, that replaces it.
  private static let others = [
    PassingOperator("switchToLatest") { upstream, stage in
      upstream.map { Just(stage.passed($0)).setFailureType(to: TestFailure.self) }.switchToLatest()
    },
    PassingOperator("switchToLatest") { upstream, _ in
      upstream.map { Record<Value, TestFailure>(output: [$0], completion: .finished) }.switchToLatest()
    },
    PassingOperator("prefix") { upstream, _ in upstream.prefix(2) },
    PassingOperator("output") { upstream, _ in upstream.output(in: 1...2) },
  ]

  @Test(arguments: PassingOperator.families.joined() + others, [false, true])
  func theNewOneGetsTheRestOfAnArray(of chain: PassingOperator, isCancelledFirst: Bool) {
    for place in 1...4 {
      let (array, singles) = (
        received(chain, at: place, isCancelledFirst: isCancelledFirst, asArray: true),
        received(chain, at: place, isCancelledFirst: isCancelledFirst, asArray: false)
      )
      #expect(array == singles, "\(chain.name), replaced at \(place)")
    }
  }
}
