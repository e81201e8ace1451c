import StreamsTesting
import Synchronization

@testable import Streams

/// A run of a program.
final class ChainStage: @unchecked Sendable {
  let clock = VirtualTimeScheduler()
  private var program: ChainProgram
  private let ledger = ChainLedger()
  private let subjects = (0..<ChainProgram.subjectCount).map { _ in PassthroughSubject<Value, TestFailure>() }
  private var chains: [Numbers] = []
  private let cancellables = Lock<[Int: AnyCancellable]>([:])
  /// Whether all that is sent has been sent.
  private let isOver = Atomic(false)
  private let isAdvancing = Atomic(false)
  private let counts = Lock<[ChainProgram.Occasion: Int]>([:])

  init(_ program: ChainProgram) {
    self.program = program
    chains = program.chains.map { chain in chain.operators.reduce(source(chain.source)) { $1($0, self) } }
  }

  /// What the program finds to be wrong; nil if nothing is.
  func fault() -> String? {
    if program.steps.count == 1 {
      program.steps[0].forEach(perform)
    } else {
      race({ self.program.steps[0].forEach(self.perform) }, { self.program.steps[1].forEach(self.perform) })
    }
    settle()
    isOver.store(true, ordering: .sequentiallyConsistent)
    for subject in subjects { subject.send(completion: .finished) }
    settle()
    let fault = ledger.fault(of: program)
    letGo()
    return fault
  }

  /// Closures keep the stage. Whoever is called now finds it as it will be.
  private func letGo() {
    program.reactions = [:]
    let chains = chains
    let cancellables = cancellables.withLock { $0 }
    self.chains = []
    self.cancellables.withLock { $0 = [:] }
    withExtendedLifetime((chains, cancellables)) {}
  }

  /// Timers that repeat never come to an end.
  private func settle() { advance(by: 100) }

  /// What is scheduled runs in order, as on a serial queue.
  private func advance(by time: VirtualTime.Stride) {
    if isAdvancing.exchange(true, ordering: .sequentiallyConsistent) { return }
    clock.advance(by: time)
    isAdvancing.store(false, ordering: .sequentiallyConsistent)
  }

  static func prefix(_ count: Int) -> Range<Int> { 1_000_000..<1_000_000 + count }

  private func source(_ source: ChainProgram.Source) -> Numbers {
    switch source {
    case .subject(let subject): subjects[subject].eraseToAnyPublisher()
    case .prefixed(let subject, let count):
      subjects[subject].prepend(Self.prefix(count).map { Value($0) }).eraseToAnyPublisher()
    case .merged(let first, let second):
      watched(subjects[first]).merge(with: watched(subjects[second])).eraseToAnyPublisher()
    case .flattened(let first, let second):
      [first, second].publisher.flatMap { self.watched(self.subjects[$0]) }.eraseToAnyPublisher()
    }
  }

  private func watched(
    _ subject: some Publisher<Value, TestFailure>
  ) -> Publishers.HandleEvents<some Publisher<Value, TestFailure>> {
    subject.handleEvents(receiveCancel: { self.occur(.cancellation) })
  }
}

// MARK: - For operators

extension ChainStage {
  /// What a closure does that passes a value on.
  func passed(_ value: Value) -> Value {
    ledger.pass(value.number) { occur(.closure) }
    return value
  }

  func isPassed(_ value: Value) -> Bool {
    _ = passed(value)
    return true
  }

  func occur(_ occasion: ChainProgram.Occasion) {
    let count = counts.withLock { counts in
      defer { counts[occasion, default: 0] += 1 }
      return counts[occasion, default: 0]
    }
    program.reactions[occasion]?[count]?.forEach(perform)
  }
}

// MARK: - Actions

extension ChainStage {
  private func perform(_ action: ChainProgram.Action) {
    switch action {
    case .send(let subject, let count, let asArray): send(count, to: subject, asArray: asArray)
    case .attach(let chain): attach(to: chain)
    case .visit(let chain, let count): visit(chain, until: count)
    case .cancel(let place): cancel(place)
    case .advance: advance(by: 1)
    case .leave(let subject): byWayOfAnother({ self.send(1, to: subject, asArray: false) }, then: {})
    case .pause: ledger.pause()
    }
  }

  private func send(_ count: Int, to subject: Int, asArray: Bool) {
    if isOver.load(ordering: .sequentiallyConsistent) { return }
    if asArray {
      let numbers = ledger.beginSending(count, to: subject)
      numbers.map(value).withUnsafeBufferPointer(subjects[subject].send(contentsOf:))
      ledger.endSending(numbers)
    } else {
      for _ in 0..<count {
        let numbers = ledger.beginSending(1, to: subject)
        subjects[subject].send(value(numbers.lowerBound))
        ledger.endSending(numbers)
      }
    }
  }

  private func value(_ number: Int) -> Value {
    Value(number, LifetimeToken { [weak self] in self?.occur(.release) })
  }

  private func attach(to chain: Int) {
    let subscriber = ledger.beginAttaching(to: chain)
    let cancellable = chains[chain].sink(
      receiveCompletion: { _ in self.ledger.complete(subscriber) },
      receiveValue: { value in
        self.ledger.receive(value.number, subscriber)
        self.occur(.value)
      })
    cancellables.withLock { $0[subscriber] = cancellable }
    ledger.endAttaching(subscriber)
  }

  private func visit(_ chain: Int, until count: Int) {
    let subscriber = ledger.beginAttaching(to: chain, isVisitor: true)
    let visitor = Visitor(until: count, leave: { self.cancel($0, of: subscriber) }) { number in
      self.ledger.receive(number, subscriber)
      self.occur(.value)
    }
    chains[chain].subscribe(visitor)
    ledger.endAttaching(subscriber)
  }

  /// One that is being attached cannot be cancelled yet.
  private func cancel(_ place: Int) {
    let found = cancellables.withLock { cancellables -> (Int, AnyCancellable)? in
      if cancellables.isEmpty { return nil }
      let subscriber = cancellables.keys.sorted()[place % cancellables.count]
      return cancellables.removeValue(forKey: subscriber).map { (subscriber, $0) }
    }
    guard let (subscriber, cancellable) = found else { return }
    cancel(cancellable, of: subscriber)
  }

  private func cancel(_ cancellable: any Cancellable, of subscriber: Int) {
    ledger.beginCancelling(subscriber)
    cancellable.cancel()
    ledger.endCancelling(subscriber)
  }
}

/// A subscriber that cancels from within a value.
private final class Visitor: Subscriber {
  private var count: Int
  private let leave: (any Cancellable) -> Void
  private let receive: (Int) -> Void
  private var subscription: (any Subscription)?

  init(until count: Int, leave: @escaping (any Cancellable) -> Void, _ receive: @escaping (Int) -> Void) {
    (self.count, self.leave, self.receive) = (count, leave, receive)
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if count == 0 { end() } else { subscription.request(.unlimited) }
  }

  func receive(_ value: Value) -> Subscribers.Demand {
    receive(value.number)
    count -= 1
    if count == 0 { end() }
    return .none
  }

  func receive(completion: Subscribers.Completion<TestFailure>) {}

  private func end() {
    guard let subscription = subscription.take() else { return }
    leave(subscription)
  }
}
