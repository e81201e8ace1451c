import Streams

/// The owner of outlets: it divides a publisher's values among them.
@usableFromInline
class OutletOwner {
  /// The subscriptions' description.
  @usableFromInline let name: String

  @usableFromInline
  init(_ name: String) { self.name = name }

  /// Values have left an outlet.
  @usableFromInline
  func release(_ count: Int, from role: OutletRole) {}

  /// An outlet that was open has lost its subscriber, or can no longer get one.
  @usableFromInline
  func close(_ role: OutletRole) {}

  /// The demand for an outlet's values has changed.
  @usableFromInline
  func change(_ old: OutletDemand, to new: OutletDemand, of role: OutletRole) {}

  /// An outlet has sent its completion, or was cancelled before it could.
  @usableFromInline
  func finished(_ role: OutletRole) {}
}

@frozen
@usableFromInline
enum OutletRole {
  /// The stream that sends the inner streams.
  case outer
  case inner
}

/// One of the streams of a `FanOut`, inner or outer, and its subscription.
///
/// It has one subscriber. Values wait for the subscriber and its demand. A thread that sends, ends or requests delivers, one
/// thread at a time, and no thread waits for another: the delivering thread also delivers what the others leave.
@usableFromInline
final class Outlet<Output, Failure: Error>: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline let owner: OutletOwner
  @usableFromInline let role: OutletRole
  // What is called through a method table, or set before `init`, would look up the types of the state at each use. These
  // are made in specialized code.
  @usableFromInline let requestNow: (Outlet, Subscribers.Demand) -> Void
  @usableFromInline let close: (Outlet, _ claimed: Bool) -> Void
  @usableFromInline let state: Lock<OutletState<Output, Failure>>

  @inlinable
  init(of owner: OutletOwner, _ role: OutletRole) {
    self.owner = owner
    self.role = role
    state = Lock(OutletState())
    requestNow = { outlet, demand in
      outlet.note(outlet.state.withLock { $0.request(demand) })
      outlet.deliverWaiting(nested: false)
    }
    close = { outlet, claimed in outlet.dispose(of: outlet.state.withLock { $0.close(claimed: claimed) }) }
  }

  // MARK: The subscriber

  /// Attaches the subscriber; any further one finishes immediately.
  @inlinable
  func attach(_ downstream: Downstream<Output, Failure>) {
    guard state.withLock({ $0.attach(downstream, on: OwnerWord.currentThread) }) else {
      downstream.receive(subscription: Subscriptions.empty)
      return downstream.receive(completion: .finished)
    }
    downstream.receive(subscription: self)
    state.withLock { $0.open() }
    deliver()
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    requestNow(self, demand)
  }

  @inlinable
  func note(_ change: (old: OutletDemand, new: OutletDemand)?) {
    if let change { owner.change(change.old, to: change.new, of: role) }
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    close(self, true)
  }

  /// Closes the outlet if it has no subscriber, because it cannot get one any more.
  @usableFromInline
  func abandon() { close(self, false) }

  @inlinable
  func dispose(of leftovers: OutletState<Output, Failure>.Leftovers) {
    note(state.withLock { $0.forgetDemand() })
    // Closed first: after the last stream nothing more is requested for the values that waited.
    if leftovers.wasOpen { owner.close(role) } else if leftovers.downstream != nil { owner.finished(role) }
    if leftovers.waiting.count > 0 { owner.release(leftovers.waiting.count, from: role) }
    withExtendedLifetime(leftovers) {}
  }

  // MARK: The owner

  /// Whether no value waits.
  @inlinable
  var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Sends or keeps values, at least one. Returns how many it does not keep.
  @inlinable
  func send(_ batch: UnsafeBufferPointer<Output>) -> Int {
    switch state.withLock({ $0.send(batch, on: OwnerWord.currentThread) }) {
    case .direct(let pass, let isNested): deliver(after: pass(batch), isNested: isNested)
    case .stored:
      deliverWaiting(nested: true)
      return 0
    case .dropped: break
    }
    return batch.count
  }

  /// Ends the stream after the waiting values. Returns false if it has ended or been closed before.
  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard state.withLock({ $0.end(completion) }) else { return false }
    deliverWaiting(nested: true)
    return true
  }

  // MARK: Deliveries

  /// Delivers what is due, or leaves it to the thread that delivers. A request from within a value is answered when the delivery
  /// of that value has returned.
  @inlinable
  func deliverWaiting(nested: Bool) {
    switch state.withLock({ $0.enter(on: OwnerWord.currentThread) }) {
    case .entered: deliver()
    case .nested: if nested { deliver(isNested: true) }
    case .refused: break
    }
  }

  @inlinable
  func deliver(after returned: Subscribers.Demand = .none, isNested: Bool = false) {
    var returned = returned
    var count = 0
    while true {
      if returned == .unlimited { note(state.withLock { $0.add(returned) }) }
      switch state.withLock({ $0.next(after: returned, isNested: isNested) }) {
      case .value(let value, let downstream):
        returned = downstream.receive(value)
        count += 1
      case .completion(let completion, let downstream):
        downstream.receive(completion: completion)
        note(state.withLock { $0.forgetDemand() })
        owner.finished(role)
        returned = .none
      case .nothing:
        if count > 0 { owner.release(count, from: role) }
        return
      }
    }
  }

  @usableFromInline var description: String { owner.name }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { description }
}

/// The right to subscribe to an outlet. When it is released, the outlet drops its waiting values.
@usableFromInline
final class OutletClaim<Output, Failure: Error>: Sendable {
  @usableFromInline nonisolated(unsafe) let outlet: Outlet<Output, Failure>

  @inlinable
  init(_ outlet: Outlet<Output, Failure>) { self.outlet = outlet }

  deinit { outlet.abandon() }

  @inlinable
  func attach(_ downstream: Downstream<Output, Failure>) { outlet.attach(downstream) }
}
