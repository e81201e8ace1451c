import Streams

/// The work of updates, in order: a value without locks or calls.
///
/// An update runs in rounds. A round evaluates the invalid scopes, parents before children, then makes the connections, then runs
/// the actions. Scopes invalidated or actions posted after their part of the round come in the next.
package struct UpdateState {
  package enum Step {
    case evaluate(Scope)
    case run(() -> Void)
    /// There is nothing left to do; those who read the tree must be notified.
    case notify
    /// The update is over, although these scopes keep being invalidated.
    case giveUp([Scope])
    /// The update is over, although other threads keep changing things: another one must be requested.
    case askAgain
    /// Everything must be removed, and the remaining work forgotten but for the actions of removed scopes.
    indirect case end(UpdateState)

    /// Whether other threads must not read the scopes during the step.
    var changesScopes: Bool {
      switch self {
      case .evaluate, .end: true
      case .run, .notify, .giveUp, .askAgain: false
      }
    }

    /// Whether the update is over before the step is taken, so that there is no further one.
    var endsUpdate: Bool {
      switch self {
      case .giveUp, .askAgain: true
      case .evaluate, .run, .notify, .end: false
      }
    }
  }

  private enum Phase {
    case idle
    /// An update has been requested.
    case requested
    case evaluating
    case connecting
    case acting
    case ended
  }

  private struct Action {
    let run: () -> Void
    /// Whether it runs even if everything is removed before.
    var outlivesTree = false
  }

  private var phase = Phase.idle
  private var queue = ScopeQueue()
  /// The scopes in the queue and in `later`.
  private var invalid: Set<ObjectIdentifier> = []
  private var evaluated: Set<ObjectIdentifier> = []
  private var later: [Scope] = []
  private var connections = Queue<Action>()
  private var actions = Queue<Action>()
  private var current = Queue<Action>()
  private var isEnding = false
  /// Whether everything has been removed: only what removed scopes have posted still runs.
  private var hasEnded = false
  private var hasTold = false
  private var rounds = 0
  private var updater: UInt32 = 0
  /// Whether another thread has changed something in this round.
  private var isDisturbed = false

  /// The greatest number of rounds of an update.
  package static let roundLimit = 100

  package init() {}

  package var isIdle: Bool { phase == .idle }

  private var isRunning: Bool { phase == .evaluating || phase == .connecting || phase == .acting }

  private var isPending: Bool {
    !queue.isEmpty || !later.isEmpty || !connections.isEmpty || !actions.isEmpty || isEnding
  }

  /// Notes which thread makes the following changes.
  package mutating func note(_ thread: UInt32) {
    if isRunning && thread != updater { isDisturbed = true }
  }

  // Each returns whether an update must be requested.

  package mutating func invalidate(_ scope: Scope) -> Bool {
    if hasEnded { return false }
    // A scope that an endless update has left is in `later`, and no other update has been requested.
    guard invalid.insert(ObjectIdentifier(scope)).inserted else { return request() }
    if isRunning && (phase != .evaluating || evaluated.contains(ObjectIdentifier(scope))) {
      later.append(scope)
    } else {
      queue.insert(scope)
    }
    return request()
  }

  package mutating func connect(_ action: @escaping () -> Void) -> Bool {
    if hasEnded { return false }
    connections.append(Action(run: action))
    return request()
  }

  package mutating func act(outlivesTree: Bool = false, _ action: @escaping () -> Void) -> Bool {
    if phase == .ended { return false }
    actions.append(Action(run: action, outlivesTree: outlivesTree))
    return request()
  }

  private mutating func request() -> Bool {
    guard phase == .idle else { return false }
    phase = .requested
    return true
  }

  /// The requested update will not run.
  package mutating func withdraw() {
    if phase == .requested { phase = .idle }
  }

  /// Everything must be removed. Returns whether no thread is updating, so that the caller must.
  package mutating func end(on thread: UInt32) -> Bool {
    isEnding = !hasEnded
    return begin(on: thread)
  }

  /// Returns whether the caller becomes the updating thread, which must take one step after the other.
  package mutating func begin(on thread: UInt32) -> Bool {
    guard phase == .idle || phase == .requested else { return false }
    guard isPending else {
      phase = .idle
      return false
    }
    (rounds, updater) = (0, thread)
    startRound()
    return true
  }

  private mutating func startRound() {
    rounds += 1
    (phase, isDisturbed) = (.evaluating, false)
    hasTold = false
    evaluated = []
    for scope in later { queue.insert(scope) }
    later = []
  }

  /// The next step; nil, and the update is over, if there is none.
  package mutating func next() -> Step? {
    while true {
      if isEnding {
        let forgotten = self
        var (left, posted) = (current, actions)
        self = UpdateState()
        (phase, hasEnded) = (.acting, true)
        for action in left.removeAll() + posted.removeAll() where action.outlivesTree {
          current.append(action)
        }
        return .end(forgotten)
      }
      switch phase {
      case .evaluating:
        if let scope = queue.popFirst() {
          invalid.remove(ObjectIdentifier(scope))
          evaluated.insert(ObjectIdentifier(scope))
          return .evaluate(scope)
        }
        phase = .connecting
        swap(&current, &connections)
      case .connecting:
        if let connection = current.popFirst() { return .run(connection.run) }
        phase = .acting
        swap(&current, &actions)
      case .acting:
        if let action = current.popFirst() { return .run(action.run) }
        if !isPending {
          if hasTold {
            phase = hasEnded ? .ended : .idle
            return nil
          }
          hasTold = true
          return .notify
        }
        if rounds == Self.roundLimit {
          phase = isDisturbed ? .requested : .idle
          return isDisturbed ? .askAgain : .giveUp(later)
        }
        startRound()
      case .idle, .requested, .ended:
        return nil
      }
    }
  }
}

/// Scopes in evaluation order: parents first, and those of one depth in the order in which they were made.
struct ScopeQueue {
  private var heap: [Scope] = []

  var isEmpty: Bool { heap.isEmpty }

  mutating func insert(_ scope: Scope) {
    heap.append(scope)
    var index = heap.count - 1
    while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func popFirst() -> Scope? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    var index = 0
    while true {
      let children = (2 * index + 1..<2 * index + 3).clamped(to: 0..<heap.count)
      guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }), heap[least].isBefore(heap[index])
      else { return first }
      heap.swapAt(index, least)
      index = least
    }
  }
}
