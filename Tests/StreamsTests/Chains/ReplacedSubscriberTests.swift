import Glibc
import StreamsTesting
import TestThreads
import Testing

@testable import Streams

/// Another thread replaces a subscriber while a value reaches it: the new one gets what follows, of an array as of single
/// values.
@Suite struct ReplacedSubscriberTests {
  private enum Sharing: CaseIterable {
    case none, shared, replaysOne, replaysTwo

    func callAsFunction(_ upstream: Numbers) -> Numbers {
      switch self {
      case .none: upstream
      case .shared: upstream.share().eraseToAnyPublisher()
      case .replaysOne: upstream.share(replay: 1).eraseToAnyPublisher()
      case .replaysTwo: upstream.share(replay: 2).eraseToAnyPublisher()
      }
    }
  }

  /// How the second subscriber is replaced in turn, at its first value.
  enum Again: CaseIterable {
    case not, elsewhere, here
  }

  /// Each subscriber of a stream replaces itself by the next one.
  private final class Run: @unchecked Sendable {
    private let stage = ChainStage(ChainProgram(seed: 0, chains: [], steps: [[]], reactions: [:]))
    private let subject = PassthroughSubject<Value, TestFailure>()
    private let stream: Numbers
    private let place: Int
    private let isCancelledFirst: Bool
    private let again: Again
    private let received = Lock([[Int]](repeating: [], count: 3))
    private let cancellables = Lock<[AnyCancellable]>([])

    init(_ chain: PassingOperator, at place: Int, isCancelledFirst: Bool, _ again: Again) {
      stream = chain(subject.eraseToAnyPublisher(), stage)
      (self.place, self.isCancelledFirst, self.again) = (place, isCancelledFirst, again)
    }

    /// Sends 1 to 5. Returns what each subscriber has received.
    func result(asArray: Bool) -> [[Int]] {
      subscribe(0)
      let values = (1...5).map { Value($0) }
      if asArray {
        values.withUnsafeBufferPointer(subject.send(contentsOf:))
      } else {
        for value in values { subject.send(value) }
      }
      stage.clock.advance(by: 100)
      cancellables.withLock { $0 }.forEach { $0.cancel() }
      return received.withLock { $0 }
    }

    private func subscribe(_ index: Int) {
      let cancellable = stream.sink(receiveCompletion: { _ in }) { [unowned self] value in
        let count = received.withLock { received in
          received[index].append(value.number)
          return received[index].count
        }
        react(index, count)
      }
      cancellables.withLock { $0.append(cancellable) }
    }

    private func react(_ index: Int, _ count: Int) {
      // What is replayed comes before there is a subscriber to replace.
      if cancellables.withLock({ $0.count }) <= index { return }
      switch (index, again) {
      case (0, _) where count == place, (1, .elsewhere) where count == 1:
        pthread_join(startThread { self.replace(index) }, nil)
      case (1, .here) where count == 1: replace(index)
      default: break
      }
    }

    private func replace(_ index: Int) {
      let old = cancellables.withLock { $0[index] }
      if isCancelledFirst { old.cancel() }
      subscribe(index + 1)
      if !isCancelledFirst { old.cancel() }
    }
  }

  /// Operators that leave something out, or make a stream of each value.
  private static let others = [
    PassingOperator("switchToLatest") { upstream, stage in
      upstream.map { Just(stage.passed($0)).setFailureType(to: TestFailure.self) }.switchToLatest()
    },
    PassingOperator("switchToLatest") { upstream, _ in
      upstream.map { Record<Value, TestFailure>(output: [$0, $0], completion: .finished) }.switchToLatest()
    },
    PassingOperator("flatMap") { upstream, _ in
      upstream.flatMap { [$0, $0].publisher.setFailureType(to: TestFailure.self) }
    },
    PassingOperator("prefix") { upstream, _ in upstream.prefix(2) },
    PassingOperator("output") { upstream, _ in upstream.output(in: 1...2) },
  ]

  /// The stream made of an even value is that which sends it.
  private static let circles = Sharing.allCases.flatMap { sharing in
    [
      PassingOperator("\(sharing) flatMap") { upstream, _ in
        sharing(upstream).flatMap { inner($0, upstream) }
      },
      PassingOperator("\(sharing) flatMap, one") { upstream, _ in
        sharing(upstream).flatMap(maxPublishers: .max(1)) { inner($0, upstream) }
      },
      PassingOperator("\(sharing) switchToLatest") { upstream, _ in
        sharing(upstream).map { inner($0, upstream) }.switchToLatest()
      },
    ]
  }

  private static func inner(_ value: Value, _ upstream: Numbers) -> Numbers {
    if value.number.isMultiple(of: 2) { return upstream }
    return Just(value).setFailureType(to: TestFailure.self).eraseToAnyPublisher()
  }

  @Test(arguments: PassingOperator.families.joined() + others + circles, Again.allCases)
  func theNewOneGetsTheRestOfAnArray(of chain: PassingOperator, _ again: Again) {
    for place in 1...5 {
      for isCancelledFirst in [false, true] {
        let (array, singles) = (
          Run(chain, at: place, isCancelledFirst: isCancelledFirst, again).result(asArray: true),
          Run(chain, at: place, isCancelledFirst: isCancelledFirst, again).result(asArray: false)
        )
        #expect(array == singles, "\(chain.name), replaced at \(place), cancelled first: \(isCancelledFirst)")
      }
    }
  }
}
