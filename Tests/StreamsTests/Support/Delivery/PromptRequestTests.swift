import Glibc
import StreamsExtras
import StreamsTesting
import Synchronization
import TestThreads
import Testing

@testable import Streams

/// Whoever demands everything gets what it sends when it has subscribed, although the stream was delivering on another
/// thread meanwhile, and that waits for the subscribing one.
@Suite struct PromptRequestTests {
  typealias Numbers = AnyPublisher<Int, Never>

  enum Join: CaseIterable {
    case merge, flatMap, map, mergeOfMerge, mergeOfFlatMap, flatMapOfMerge, switchToLatest, concatMap, append

    func callAsFunction(_ sources: [Numbers]) -> Numbers {
      let merged = Publishers.MergeMany(sources)
      let flattened = sources.publisher.flatMap { $0 }
      return switch self {
      case .merge: merged.eraseToAnyPublisher()
      case .flatMap: flattened.eraseToAnyPublisher()
      case .map: merged.map { $0 }.eraseToAnyPublisher()
      case .mergeOfMerge: merged.merge(with: Empty()).eraseToAnyPublisher()
      case .mergeOfFlatMap: flattened.merge(with: Empty()).eraseToAnyPublisher()
      case .flatMapOfMerge: [merged].publisher.flatMap { $0 }.eraseToAnyPublisher()
      case .switchToLatest: Just(merged).switchToLatest().eraseToAnyPublisher()
      case .concatMap: merged.concatMap { Just($0) }.eraseToAnyPublisher()
      case .append: merged.append(-1).eraseToAnyPublisher()
      }
    }
  }

  /// Runs a closure when it is subscribed to, and does nothing else.
  private struct Hook: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let run: () -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { run() }
  }

  /// Subscribes on this thread, in the turn of a subject. Meanwhile another thread sends 0 to the stream, and then waits
  /// for that turn within the value. Returns what the stream has received when `then` has run here.
  private func received(
    _ stream: @escaping (_ hot: Numbers, _ hook: Numbers) -> Numbers, then: @escaping () -> Void = {}
  ) -> [Int] {
    let (hot, turn) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let received = Lock<[Int]>([])
    var thread: pthread_t?
    var cancellables: [AnyCancellable] = []
    let hook = Hook {
      thread = startThread { hot.send(0) }
      let isAwaited = reached { turn.broadcast.serializer.gate.isAwaited }
      #expect(isAwaited, "the other thread does not wait")
    }
    turn.sink { value in
      guard value == 1 else { return }
      let stream = stream(hot.eraseToAnyPublisher(), hook.eraseToAnyPublisher())
      stream.handleEvents(receiveOutput: { if $0 == 0 { turn.send(0) } }).sink { number in
        received.withLock { $0.append(number) }
      }.store(in: &cancellables)
      then()
    }.store(in: &cancellables)
    turn.send(1)
    if let thread { pthread_join(thread, nil) }
    return received.withLock { $0 }
  }

  @Test(arguments: Join.allCases, [false, true]) func reachesTheSources(of join: Join, hookIsLast: Bool) {
    let subject = PassthroughSubject<Int, Never>()
    let received = received({ hot, hook in
      let own = subject.eraseToAnyPublisher()
      return join(hookIsLast ? [hot, own, hook] : [hot, hook, own]).concatMap { Just($0) }
        .eraseToAnyPublisher()
    }) {
      for number in 1...4 { subject.send(number) }
    }
    #expect(received == [0, 1, 2, 3, 4])
  }

  @Test(arguments: Join.allCases) func whoDoesNotCountDemandGetsAllToo(join: Join) {
    let subject = PassthroughSubject<Int, Never>()
    let received = received({ join([$0, $1, subject.eraseToAnyPublisher()]) }) {
      for number in 1...4 { subject.send(number) }
    }
    #expect(received == [0, 1, 2, 3, 4])
  }

  @Test(arguments: [Join.merge, .flatMap], [false, true])
  func whatAnswersWithoutEndDoesNotKeepTheThread(join: Join, isLimited: Bool) {
    let endless = sequence(first: 1) { $0 + 1 }.publisher.eraseToAnyPublisher()
    let received = received { hot, hook in
      let joined = join([hot, hook, endless])
      return (isLimited ? joined.concatMap { Just($0) }.eraseToAnyPublisher() : joined).prefix(5)
        .eraseToAnyPublisher()
    }
    #expect(received == [0, 1, 2, 3, 4])
  }

  @Test(arguments: [Join.merge, .flatMap], [false, true])
  func whatFollowsAnAnswerIsDemandedToo(join: Join, isLimited: Bool) {
    let subject = PassthroughSubject<Int, Never>()
    let received = received({ hot, hook in
      let joined = join([hot, hook, subject.prepend(9).eraseToAnyPublisher()])
      return isLimited ? joined.concatMap { Just($0) }.eraseToAnyPublisher() : joined
    }) {
      for number in 1...4 { subject.send(number) }
    }
    #expect(received == [0, 9, 1, 2, 3, 4])
  }

  // MARK: What the other thread sends

  /// A thread that has delivered a value does not rely on the subscribing one, which is slow to demand the next.
  @Test(arguments: Join.allCases, [false, true])
  func whoDeliversMeanwhileDemandsWhatItSendsNext(join: Join, hasSequence: Bool) {
    let (first, subject) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let isFirst = Atomic(true)
    let slow = first.handleEvents(receiveRequest: { demand in
      guard demand == .unlimited, isFirst.exchange(false, ordering: .relaxed) else { return }
      pthread_join(startThread { for number in 1...4 { subject.send(number) } }, nil)
    })
    var sources = [slow.eraseToAnyPublisher(), subject.eraseToAnyPublisher()]
    if hasSequence { sources.append([0].publisher.eraseToAnyPublisher()) }
    let received = Lock<[Int]>([])
    let cancellable = join(sources).concatMap { Just($0) }.sink { number in
      received.withLock { $0.append(number) }
    }
    #expect(received.withLock { $0 } == (hasSequence ? [0, 1, 2, 3, 4] : [1, 2, 3, 4]))
    cancellable.cancel()
  }

  @Test(arguments: [Join.merge, .flatMap], [false, true])
  func whoDemandsEverythingWithinAValueDemandsItToo(join: Join, isReturned: Bool) {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let isFirst = Atomic(true)
    let slow = subjects[0].handleEvents(receiveRequest: { demand in
      guard demand == .unlimited, isFirst.exchange(false, ordering: .relaxed) else { return }
      let thread = startThread {
        subjects[1].send(1)
        for number in 2...4 { subjects[2].send(number) }
      }
      pthread_join(thread, nil)
    })
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      if isReturned { return .unlimited }
      recorder.subscriptions[0].request(.unlimited)
      return .none
    }
    join([slow.eraseToAnyPublisher()] + subjects[1...].map { $0.eraseToAnyPublisher() }).subscribe(recorder)
    // It waits, and nothing more is demanded of its subject.
    subjects[2].send(0)
    recorder.subscriptions[0].request(.unlimited)
    #expect(recorder.values == [0, 1, 2, 3, 4])
    recorder.onValue = { _ in .none }
  }

  /// Who asks again while a request is under way asks for single values, so nothing nests.
  @Test(arguments: Join.allCases) func aSourceThatAnswersOnAnotherThreadIsAskedForEverythingOnce(join: Join) {
    let source = TestPublisher<Int, Never>()
    let count = Atomic(0)
    source.onRequest = { demand in
      guard demand == .unlimited else { return }
      let number = count.wrappingAdd(1, ordering: .relaxed).newValue
      if number < 10 { pthread_join(startThread { source.send(number) }, nil) }
    }
    let quiet = PassthroughSubject<Int, Never>().eraseToAnyPublisher()
    let cancellable = join([quiet, source.eraseToAnyPublisher()]).concatMap { Just($0) }.sink { _ in }
    #expect(count.load(ordering: .relaxed) == 1)
    cancellable.cancel()
  }

  // MARK: On one thread

  /// A value that waits in the merge, for lack of demand, comes before those that the request brings.
  @Test func whatWaitsIsSentFirst() {
    let (inner, subject) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = RecordingSubscriber<Int, Never>()
    (1...4).publisher.merge(with: subject)
      .concatMap { $0 == 1 ? inner.eraseToAnyPublisher() : Just($0).eraseToAnyPublisher() }
      .subscribe(recorder)
    inner.send(completion: .finished)
    #expect(recorder.values == [2, 3, 4])
  }

  // MARK: Other streams

  /// A request that the user's code makes within a prompt one does not wait, as ever.
  @Test func onlyWhatWasMadeMeanwhileWaits() {
    let (subject, source) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let (begins, ends) = (Meeting(), Meeting())
    let held = RecordingSubscriber<Int, Never>(initialDemand: .max(1)) { _ in
      begins.wait()
      ends.wait()
      return .none
    }
    subject.merge(with: Empty()).subscribe(held)
    let thread = startThread { subject.send(1) }
    begins.wait()
    let cancellable = source.handleEvents(receiveRequest: { demand in
      if demand == .unlimited { held.subscriptions[0].request(.unlimited) }
    }).concatMap { Just($0) }.sink { _ in }
    ends.wait()
    pthread_join(thread, nil)
    cancellable.cancel()
    subject.send(2)
    #expect(held.values == [1, 2])
  }

  // MARK: Finite demand

  /// Leaves it to others to subscribe to a subject.
  private struct Later: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let subject: PassthroughSubject<Int, Never>
    let leave: (@escaping () -> Void) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      leave { subject.subscribe(subscriber) }
    }
  }

  @Test func isRequestedOnceFromWhatWasAcceptedOutOfTurn() {
    let (outer, turn) = (PassthroughSubject<Numbers, Never>(), PassthroughSubject<Int, Never>())
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let subscribe = Lock<(() -> Void)?>(nil)
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(3)) { value in
      guard value == 0 else { return .none }
      outer.send(Later(subject: second) { body in subscribe.withLock { $0 = body } }.eraseToAnyPublisher())
      turn.send(0)
      return .none
    }
    outer.switchToLatest().subscribe(recorder)
    outer.send(first.eraseToAnyPublisher())
    var thread: pthread_t?
    let cancellable = turn.sink { value in
      guard value == 1 else { return }
      thread = startThread { first.send(0) }
      let isAwaited = reached { turn.broadcast.serializer.gate.isAwaited }
      #expect(isAwaited, "the other thread does not wait")
      subscribe.withLock { $0 }?()
      for number in 1...4 { second.send(number) }
    }
    turn.send(1)
    if let thread { pthread_join(thread, nil) }
    cancellable.cancel()
    #expect(recorder.values == [0, 1, 2])
  }
}
