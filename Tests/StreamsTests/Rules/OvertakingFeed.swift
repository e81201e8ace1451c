import Glibc
import StreamsTesting
import Synchronization

@testable import Streams

/// A source that sends what another thread has left only when all that it is sending is over. It may lose all of an array but
/// the first value.
final class OvertakingFeed: Feed {
  private struct State {
    var thread: pthread_t?
    var left: [Value] = []
  }

  let subject = PassthroughSubject<Value, TestFailure>()
  private let state = Lock(State())
  private let hasEnded = Atomic(false)
  private let losesArrays: Bool

  init(losesArrays: Bool = false) { self.losesArrays = losesArrays }

  var ledger: DemandLedger? { nil }
  var isOver: Bool { hasEnded.load(ordering: .relaxed) }
  func force(_ value: Value) { send(value) }
  func send(batch: [Value]) { batch.prefix(losesArrays ? 1 : batch.count).forEach(send) }
  func finish() {
    hasEnded.store(true, ordering: .relaxed)
    subject.send(completion: .finished)
  }
  func fail() { finish() }
  func send(subscription: any Subscription) {}

  func send(_ value: Value) {
    let owner = state.withLock { state in
      defer { state.thread = state.thread ?? pthread_self() }
      return state.thread
    }
    if let owner, pthread_equal(owner, pthread_self()) == 0 {
      return state.withLock { $0.left.append(value) }
    }
    subject.send(value)
    guard owner == nil else { return }
    let left = state.withLock { exchange(&$0, with: State()).left }
    left.forEach(subject.send)
  }
}
