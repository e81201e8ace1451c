import Synchronization

/// The subscription to a sequence or to a record of values.
///
/// The thread whose request finds elements to send runs the loop until the demand is used up; requests that arrive
/// during the loop, from inside it or from other threads, only add to the demand. So do requests of other threads while
/// the subscriber receives the subscription.
///
/// It is not generic, so that requests and cancellation look up no types: everything that depends on types is in the
/// ``SequenceLoop``, in memory that this object owns.
@usableFromInline
package final class SequenceSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  /// What can be done with a loop, in code specialized for its types. The closures capture nothing.
  @usableFromInline
  package struct Operations {
    /// Sends elements until the demand is used up. Returns true if the subscription has ended.
    let run: (UnsafeMutableRawPointer, SequenceSubscription, Subscribers.Demand) -> Bool
    let sequence: (UnsafeMutableRawPointer) -> Any
    let destroy: (UnsafeMutableRawPointer) -> Void

    @usableFromInline
    package init(
      run: @escaping (UnsafeMutableRawPointer, SequenceSubscription, Subscribers.Demand) -> Bool,
      sequence: @escaping (UnsafeMutableRawPointer) -> Any,
      destroy: @escaping (UnsafeMutableRawPointer) -> Void
    ) {
      self.run = run
      self.sequence = sequence
      self.destroy = destroy
    }
  }

  private struct State {
    var demand = Subscribers.Demand.none
    var isRunning = false
    var handshake = HandshakeThread()
    /// Whether the subscription has ended. Its loop has been destroyed, or will be when it returns.
    var hasEnded = false

    /// Takes the demand there is; the caller runs the loop if there is any. Returns nil after the end.
    mutating func takeDemand() -> Subscribers.Demand? {
      if hasEnded { return nil }
      defer { demand = .none }
      isRunning = demand != .none
      return demand
    }
  }

  private let loop: UnsafeMutableRawPointer
  private let operations: Operations
  private let state = Lock(State())
  @usableFromInline package let isCancelled = Atomic(false)
  private let reflection: Reflection

  /// What a subscription's description and mirror show.
  @usableFromInline
  package struct Reflection {
    /// The description once the subscription has ended; before, it is the sequence's.
    let ended: String
    /// What the mirror shows as the sequence once the subscription has ended.
    let emptySequence: Any
    /// What the mirror shows beside the sequence.
    let completion: Any?

    @usableFromInline
    package init(ended: String, emptySequence: Any, completion: Any? = nil) {
      self.ended = ended
      self.emptySequence = emptySequence
      self.completion = completion
    }
  }

  /// Takes ownership of a loop.
  @usableFromInline
  package init(loop: UnsafeMutableRawPointer, operations: Operations, reflection: Reflection) {
    self.loop = loop
    self.operations = operations
    self.reflection = reflection
  }

  deinit {
    if !state.withLock({ $0.hasEnded }) { operations.destroy(loop) }
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    let start = state.withLock { state in
      state.demand += demand
      return state.isRunning || state.handshake.isElsewhere ? nil : state.takeDemand()
    }
    run(start)
  }

  /// Serves what other threads have requested while the subscriber received the subscription.
  @usableFromInline
  package func handshakeIsOver() {
    let start = state.withLock { state in
      state.handshake.end()
      return state.isRunning ? nil : state.takeDemand()
    }
    run(start)
  }

  private func run(_ demand: Subscribers.Demand?) {
    guard let demand, demand != .none, operations.run(loop, self, demand) else { return }
    state.withLock { $0.hasEnded = true }
    operations.destroy(loop)
  }

  /// Takes the demand that has been added while the loop ran; the loop stops if there is none. Returns nil after the
  /// end.
  @usableFromInline
  package func continuedDemand() -> Subscribers.Demand? { state.withLock { $0.takeDemand() } }

  @usableFromInline
  package func cancel() {
    BatchProgress.deliverGatheredIfAny()
    isCancelled.store(true, ordering: .relaxed)
    end()
  }

  @usableFromInline
  package func end() {
    let isUnused = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded && !state.isRunning
    }
    // After the lock: releasing the last references may run the user's code.
    if isUnused { operations.destroy(loop) }
  }

  private var sequence: Any? { state.withLock { $0.hasEnded ? nil : operations.sequence(loop) } }

  @usableFromInline package var description: String { sequence.map { "\($0)" } ?? reflection.ended }
  @usableFromInline package var customMirror: Mirror {
    var children: [Mirror.Child] = [("sequence", sequence ?? reflection.emptySequence)]
    if let completion = reflection.completion { children.append(("completion", completion)) }
    return Mirror(self, children: children)
  }
  @usableFromInline package var playgroundDescription: Any { description }
}
