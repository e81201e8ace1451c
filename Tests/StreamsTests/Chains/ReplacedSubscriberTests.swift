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

  /// What another thread does when a subscriber has received a value.
  enum Change: CaseIterable {
    case cancelsFirst, subscribesFirst, onlySubscribes
  }

  struct Plan: CustomTestStringConvertible {
    /// How the second subscriber is replaced in turn, at its first value.
    enum Again: CaseIterable {
      case not, elsewhere, here
    }

    var place = 1
    var change = Change.cancelsFirst
    var again = Again.not
    /// When the first subscriber also sends a value: before or after the other thread does something.
    enum Sending {
      case never, before, after
    }

    var sends = Sending.never
    /// Whether the first subscriber is no sink, and whether it then demands one value at a time.
    var isOfItsOwn = false
    var isLimited = false
    /// Whether the next ones subscribe to the subject itself.
    var isApart = false

    var testDescription: String { "\(self)" }

    /// Who only joins gets the rest of an array when a callback has acted.
    var isPromised: Bool { change != .onlySubscribes || sends != .never }
  }

  /// Each subscriber of a stream replaces itself by the next one.
  private final class Run: @unchecked Sendable {
    private let stage = ChainStage(ChainProgram(seed: 0, chains: [], steps: [[]], reactions: [:]))
    private let subject = PassthroughSubject<Value, TestFailure>()
    private let stream: Numbers
    private let plan: Plan
    private let received = Lock([[Int]](repeating: [], count: 3))
    private let cancellables = Lock<[AnyCancellable]>([])

    init(_ chain: PassingOperator, _ plan: Plan) {
      stream = chain(subject.eraseToAnyPublisher(), stage)
      self.plan = plan
    }

    /// Sends 1 to 8. Returns what each subscriber has received.
    func result(asArray: Bool) -> [[Int]] {
      subscribe(0)
      let values = (1...8).map { Value($0) }
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
      let publisher = plan.isApart && index > 0 ? subject.eraseToAnyPublisher() : stream
      let cancellable =
        plan.isOfItsOwn && index == 0
        ? subscribeItsOwn(to: publisher, plan.isLimited ? .max(1) : .unlimited)
        : publisher.sink(receiveCompletion: { _ in }) { [unowned self] in receive($0, index) }
      cancellables.withLock { $0.append(cancellable) }
    }

    /// Subscribes one that is no sink: it does not know whether it has been cancelled.
    private func subscribeItsOwn(to publisher: Numbers, _ demand: Subscribers.Demand) -> AnyCancellable {
      var own: (any Subscription)?
      let subscriber = AnySubscriber<Value, TestFailure> { subscription in
        own = subscription
        subscription.request(demand)
      } receiveValue: { [unowned self] value in
        receive(value, 0)
        return demand == .unlimited ? .none : demand
      }
      publisher.subscribe(subscriber)
      return AnyCancellable { own?.cancel() }
    }

    private func receive(_ value: Value, _ index: Int) {
      let count = received.withLock { received in
        received[index].append(value.number)
        return received[index].count
      }
      // What is replayed comes before there is a subscriber to replace.
      if cancellables.withLock({ $0.count }) <= index { return }
      switch (index, plan.again) {
      case (0, _) where count == plan.place:
        if plan.sends == .before { subject.send(100) }
        changeElsewhere(0)
        if plan.sends == .after { subject.send(100) }
      case (1, .elsewhere) where count == 1:
        changeElsewhere(1)
      case (1, .here) where count == 1: change(1)
      default: break
      }
    }

    private func changeElsewhere(_ index: Int) {
      pthread_join(startThread { self.change(index) }, nil)
    }

    private func change(_ index: Int) {
      let old = cancellables.withLock { $0[index] }
      if plan.change == .cancelsFirst { old.cancel() }
      subscribe(index + 1)
      if plan.change == .subscribesFirst { old.cancel() }
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
    PassingOperator("filter") { upstream, _ in upstream.filter { !$0.number.isMultiple(of: 2) } },
    PassingOperator("compactMap") { upstream, _ in
      upstream.compactMap { $0.number.isMultiple(of: 2) ? nil : $0 }
    },
    PassingOperator("tryFilter") { upstream, _ in
      upstream.tryFilter { !$0.number.isMultiple(of: 3) }.mapError { $0 as! TestFailure }
    },
    PassingOperator("tryMap") { upstream, _ in
      upstream.tryMap { if $0.number == 4 { throw TestFailure() } else { $0 } }
        .mapError { $0 as! TestFailure }
    },
    PassingOperator("share, prefix") { upstream, _ in upstream.share().prefix(3) },
    PassingOperator("share, output") { upstream, _ in upstream.share().output(in: 1...3) },
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
      PassingOperator("\(sharing) flatMap, of the subject") { upstream, _ in
        sharing(upstream).flatMap { _ in upstream }
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

  /// Whoever takes the place of the only subscriber makes a new connection.
  private static let connections = (PassingOperator.families.joined() + others).map { behind in
    PassingOperator("share, \(behind.name)") { behind($0.share().eraseToAnyPublisher(), $1) }
  }

  private static let chains = PassingOperator.families.joined() + others + circles + connections

  private func compare(_ chain: PassingOperator, _ plan: Plan) {
    for place in 1...5 where plan.isPromised {
      var plan = plan
      plan.place = place
      let (array, singles) = (
        Run(chain, plan).result(asArray: true), Run(chain, plan).result(asArray: false)
      )
      #expect(array == singles, "\(chain.name), \(plan)")
    }
  }

  @Test(arguments: chains, Plan.Again.allCases)
  func theNewOneGetsTheRestOfAnArray(of chain: PassingOperator, _ again: Plan.Again) {
    compare(chain, Plan(change: .cancelsFirst, again: again))
    compare(chain, Plan(change: .subscribesFirst, again: again))
  }

  @Test(arguments: chains, Change.allCases)
  func itGetsTheRestAfterACallbackHasActed(of chain: PassingOperator, _ change: Change) {
    for sends in [Plan.Sending.before, .after] {
      compare(chain, Plan(change: change, sends: sends))
      compare(chain, Plan(change: change, sends: sends, isApart: true))
    }
  }

  @Test(arguments: chains, Change.allCases)
  func itGetsTheRestFromTheSubject(of chain: PassingOperator, _ change: Change) {
    compare(chain, Plan(change: change, isApart: true))
    compare(chain, Plan(change: change, isOfItsOwn: true, isLimited: true, isApart: true))
    compare(chain, Plan(change: change, isOfItsOwn: true, isLimited: true))
  }

  @Test(arguments: chains, Change.allCases)
  func whoIsNoSinkGetsNothingMore(of chain: PassingOperator, _ change: Change) {
    compare(chain, Plan(change: change, isOfItsOwn: true))
    compare(chain, Plan(change: change, isOfItsOwn: true, isApart: true))
  }
}
