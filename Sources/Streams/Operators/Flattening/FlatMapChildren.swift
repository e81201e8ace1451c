import Synchronization

/// A subscriber to one of the publishers that a flatMap has made, without the types of its values.
///
/// Its state is only for the thread that runs a signal.
@usableFromInline
class FlatMapBranch {
  @usableFromInline
  enum Progress: UInt8, AtomicChoice { case expected, subscribed, finished }

  @usableFromInline final let core: FlatMapCore
  @usableFromInline final let subscription = Cell<(any Subscription)?>(nil)
  /// May be read at any time.
  final let progress = Atomic(Progress.expected)
  /// Whether the thread that runs a signal is making the first request, of a subscription that was left. May be read at any
  /// time.
  @usableFromInline final let isStarting = Atomic(false)
  /// How many of its values wait for demand.
  @usableFromInline final let waitingCount = Cell(0)
  /// The place among the children, if it is one of them.
  fileprivate final let position = Cell<Int?>(nil)

  @inlinable
  init(_ core: FlatMapCore) { self.core = core }

  @usableFromInline
  final func receive(subscription: any Subscription) { core.receive(subscription: subscription, from: self) }
}

/// The children of a flatMap that have a subscription.
struct FlatMapChildren {
  /// A child and its subscription, for use outside of the turn.
  struct Reference {
    let child: FlatMapBranch
    let subscription: any Subscription

    /// Whether it goes on. It may end while more is requested from another, or another is cancelled.
    var isRunning: Bool { child.progress.load(ordering: .relaxed) == .subscribed }
  }

  private var children: ContiguousArray<FlatMapBranch> = []

  var isEmpty: Bool { children.isEmpty }

  var references: [Reference] {
    children.compactMap { child in
      child.subscription.value.map { Reference(child: child, subscription: $0) }
    }
  }

  mutating func append(_ child: FlatMapBranch) {
    child.position.value = children.count
    children.append(child)
  }

  /// Takes out a child. Returns whether it was there: it may have been taken out with all the others.
  mutating func remove(_ child: FlatMapBranch) -> Bool {
    guard let position = child.position.value.take() else { return false }
    let last = children.removeLast()
    if last !== child {
      last.position.value = position
      children[position] = last
    }
    return true
  }

  /// Takes out all, in order. They release their subscriptions, which may retain them.
  mutating func removeAll() -> [Reference] {
    let removed = references
    for child in children {
      child.position.value = nil
      child.subscription.value = nil
    }
    children = []
    return removed
  }
}
