import Streams
import StreamsExtras
import StreamsTesting

/// What an entry builds its publisher from: upstreams that a rule controls, a clock, and closures that are counted.
final class Bench {
  /// What stands behind ``source(failingWith:)``.
  enum Supply {
    /// Upstreams that do what the rule says, well-behaved or not.
    case scripted
    /// Subjects, which may be used from several threads.
    case subjects
    /// Subjects that all subscriptions to an upstream have in common, each with a closure of its own behind it or not.
    case shared(SharedSubject, isMapped: Bool)
    /// Sequences of so many values, which answer each request at once.
    case sequences(Int)
  }

  enum SharedSubject: CaseIterable {
    /// The last one keeps the latest two values.
    case passthrough, currentValue, replay
  }

  let supply: Supply
  let scheduler = VirtualTimeScheduler()
  /// Counts the closures made with ``tracked(_:)``.
  let closures = LifetimeTracker()
  /// Counts the subscriptions that scripted upstreams have handed out.
  let subscriptions = LifetimeTracker()
  /// Called by each closure made with ``tracked(_:)``, before what it does, with the closure's number.
  var onClosure: (Int) -> Void = { _ in }
  /// How many closures there are.
  private(set) var closureCount = 0
  /// What the next ``source()`` is, if that is another publisher.
  var upstream: AnyPublisher<Value, TestFailure>?
  /// Called when something is requested of a scripted upstream, after that was noted.
  var onRequest: (any Feed) -> Void = { _ in }
  /// Called when a scripted upstream is cancelled, after that was noted.
  var onCancel: (any Feed) -> Void = { _ in }
  /// Called when a value made with ``value(_:)``, a closure or the subscription of a scripted upstream is released.
  var onRelease: () -> Void = {}
  private let registered = Lock<[(source: any Feed, isQuiet: Bool)]>([])

  init(_ supply: Supply) { self.supply = supply }

  /// All upstreams so far: one for each subscription, in order.
  var sources: [any Feed] { registered.withLock { $0.map(\.source) } }

  /// Those that take part when values are sent.
  var talkativeSources: [any Feed] { registered.withLock { $0.filter { !$0.isQuiet }.map(\.source) } }

  /// Lets all upstreams go.
  func forgetSources() {
    let forgotten = registered.withLock { registered in
      defer { registered = [] }
      return registered
    }
    withExtendedLifetime(forgotten) {}
  }

  /// A value to send.
  func value(_ number: Int) -> Value {
    Value(number, LifetimeToken(onRelease: release))
  }

  private var release: () -> Void { { [weak self] in self?.onRelease() } }

  func register(_ source: any Feed, isQuiet: Bool = false) {
    registered.withLock { $0.append((source, isQuiet)) }
  }
}

// MARK: - For entries

extension Bench {
  /// An upstream. Each subscription to it is a source of its own.
  func source() -> AnyPublisher<Value, TestFailure> { upstream.take() ?? source(failure: TestFailure()) }

  /// An upstream that cannot fail.
  func safeSource() -> AnyPublisher<Value, Never> {
    upstream.take()?.catch { _ in Empty() }.eraseToAnyPublisher() ?? source(failure: nil)
  }

  /// An upstream that ends as others do but sends no values.
  func quietSource() -> AnyPublisher<Value, TestFailure> { source(failure: TestFailure(), isQuiet: true) }

  /// An upstream that is subscribed to for a value of another: a short one where it is a sequence.
  func child() -> AnyPublisher<Value, TestFailure> {
    guard case .sequences = supply else { return source() }
    return [1, 2, 3].publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
  }

  private func source<Failure: Error>(
    failure: Failure?, isQuiet: Bool = false
  ) -> AnyPublisher<Value, Failure> {
    switch supply {
    case .scripted:
      return Deferred { [self] in
        let source = ScriptedFeed(failure: failure, token: subscriptions.token(onRelease: release))
        source.report(to: self)
        register(source, isQuiet: isQuiet)
        return source.publisher
      }.eraseToAnyPublisher()
    case .subjects:
      return Deferred { [self] in
        let source = SubjectFeed(PassthroughSubject<Value, Failure>(), failure: failure)
        register(source, isQuiet: isQuiet)
        return source.subject
      }.eraseToAnyPublisher()
    case .shared(.passthrough, let isMapped):
      return shared(failure, isQuiet, isMapped) { PassthroughSubject() }
    case .shared(.currentValue, let isMapped):
      return shared(failure, isQuiet, isMapped) { CurrentValueSubject(0) }
    case .shared(.replay, let isMapped):
      return shared(failure, isQuiet, isMapped) { ReplaySubject(bufferSize: 2) }
    case .sequences(let count):
      if isQuiet { return Empty(completeImmediately: false).eraseToAnyPublisher() }
      return (1...count).map { Value($0) }.publisher.setFailureType(to: Failure.self).eraseToAnyPublisher()
    }
  }

  /// A subject for all subscriptions, and another one for those that come when it has ended.
  private func shared<S: Subject>(
    _ failure: S.Failure?, _ isQuiet: Bool, _ isMapped: Bool, _ make: @escaping () -> S
  ) -> AnyPublisher<Value, S.Failure> where S.Output == Value {
    var latest: SubjectFeed<S>?
    let subject = Deferred { [self] in
      if let latest, !latest.isOver { return latest.subject }
      let source = SubjectFeed(make(), failure: failure)
      register(source, isQuiet: isQuiet)
      latest = source
      return source.subject
    }
    return isMapped ? subject.map(tracked { $0 }).eraseToAnyPublisher() : subject.eraseToAnyPublisher()
  }

  /// A subject that is itself what the rules are applied to.
  func subject<S: Subject>(_ subject: S, failure: S.Failure?) -> S where S.Output == Value {
    register(SubjectFeed(subject, failure: failure))
    return subject
  }

  /// A closure whose release is counted.
  func tracked<each Argument, Result>(
    _ closure: @escaping (repeat each Argument) -> Result
  ) -> (repeat each Argument) -> Result {
    let (token, number) = nextClosure()
    return { [weak self] (argument: repeat each Argument) in
      token.keep()
      self?.onClosure(number)
      return closure(repeat each argument)
    }
  }

  /// A closure that may throw and whose release is counted.
  func trackedThrowing<each Argument, Result>(
    _ closure: @escaping (repeat each Argument) throws -> Result
  ) -> (repeat each Argument) throws -> Result {
    let (token, number) = nextClosure()
    return { [weak self] (argument: repeat each Argument) in
      token.keep()
      self?.onClosure(number)
      return try closure(repeat each argument)
    }
  }

  private func nextClosure() -> (LifetimeToken, number: Int) {
    closureCount += 1
    return (closures.token(onRelease: release), closureCount - 1)
  }
}
