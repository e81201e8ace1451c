import Glibc
import StreamsExtras
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

  @Test(arguments: Array(PassingOperator.families.joined()), [false, true])
  func theNewOneGetsTheRestOfAnArray(of chain: PassingOperator, isCancelledFirst: Bool) {
    for place in 1...4 {
      let (array, singles) = (
        received(chain, at: place, isCancelledFirst: isCancelledFirst, asArray: true),
        received(chain, at: place, isCancelledFirst: isCancelledFirst, asArray: false)
      )
      #expect(array == singles, "\(chain.name), replaced at \(place)")
    }
  }

  /// The second connection of an autoconnected publisher replaces the first one.
  @Test(arguments: [false, true], [false, true])
  func theSecondConnectionGetsTheRestOfAnArray(isInStep: Bool, asArray: Bool) {
    let subject = PassthroughSubject<Int, Never>()
    let received = Lock([[Int]](repeating: [], count: 2))
    let (isReached, isReplaced) = (Meeting(), Meeting())
    var thread: pthread_t?
    var cancellables: [AnyCancellable] = []
    var subscribe: (Int) -> Void = { _ in }
    var isFirst = true
    let source = Deferred {
      if exchange(&isFirst, with: false) {
        subscribe(0)
        thread = startThread {
          let values = [1, 2, 3, 4]
          if asArray { values.withUnsafeBufferPointer(subject.send(contentsOf:)) } else { values.forEach(subject.send) }
        }
        isReached.wait()
      }
      return isInStep
        ? subject.withLatestFrom(Just(0)) { value, _ in value }.eraseToAnyPublisher()
        : subject.eraseToAnyPublisher()
    }
    let shared = source.makeConnectable().autoconnect()
    subscribe = { index in
      let cancellable = shared.sink { value in
        received.withLock { $0[index].append(value) }
        guard index == 0, value == 2 else { return }
        isReached.wait()
        isReplaced.wait()
      }
      cancellables.append(cancellable)
    }
    subscribe(1)
    isReplaced.wait()
    if let thread { pthread_join(thread, nil) }
    #expect(received.withLock { $0 } == [[1, 2, 3, 4], [1, 2, 3, 4]])
    subscribe = { _ in }
  }
}
