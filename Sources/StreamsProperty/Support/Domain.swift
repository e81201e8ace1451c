import Streams

/// What properties with common descendants share: one change at a time runs through it.
///
/// Each source has one of its own. Deriving a property from several joins theirs, for good. No lock is held while a
/// closure or a watcher runs; it is a turn that they have.
final class Domain: @unchecked Sendable {
  private enum Entry<Result> {
    case done(Result)
    case moved
    case refused
  }

  /// What is to be released.
  private struct Remains {
    var items: [Any] = []
    var isReleasing = false
  }

  /// Taken to join two domains, so that they do not join each other.
  nonisolated(unsafe) private static let joining = Lock(())

  private let serializer = Serializer()
  /// The domain that this one has joined.
  private let next = Lock<Domain?>(nil)
  private let remains = Lock(Remains())

  // What follows belongs to the turn.
  private var isRunning = false
  private var later: [(Domain) -> Void] = []
  private var touched: [Node] = []
  private var levels: [[Node]] = []
  private var lowest = 0

  // MARK: Turns

  private var root: Domain {
    guard var root = next.withLock({ $0 }) else { return self }
    while let further = root.next.withLock({ $0 }) { root = further }
    // Spares the next call the way.
    let replaced = next.withLock { next in
      defer { next = root }
      return next
    }
    withExtendedLifetime(replaced) {}
    return root
  }

  /// Runs `body` when it is this domain's turn. Returns nil, without running it, where to wait would be for ever.
  func inTurn<Result>(_ body: (Domain) -> Result) -> Result? {
    while true {
      let domain = root
      let entry: Entry<Result> = domain.serializer.run(
        { domain.next.withLock { $0 == nil } ? .done(body(domain)) : .moved },
        refused: { .refused })
      switch entry {
      case .done(let result): return result
      case .moved: continue
      case .refused: return nil
      }
    }
  }

  /// Makes the domains of `nodes` one. Returns nil where that would mean to wait for ever.
  static func joined(_ nodes: [Node]) -> Domain? {
    // What is finished no longer changes, and needs no turn.
    let live = nodes.filter { !$0.isFinished }
    guard var domain = live.first?.home ?? nodes.first?.home else { return Domain() }
    for node in live.dropFirst() {
      guard let joined = domain.join(node.home) else { return nil }
      domain = joined
    }
    return domain
  }

  func join(_ other: Domain) -> Domain? {
    while true {
      var (stays, goes) = (root, other.root)
      if stays === goes { return stays }
      // Whose turn this thread is in, that stays: it is in use further up the stack.
      if goes.serializer.isEntered { swap(&stays, &goes) }
      if goes.serializer.isEntered { return nil }
      let isJoined = goes.serializer.run(
        {
          goes.link(to: stays)
          return true
        }, refused: { false })
      if !isJoined { return nil }
    }
  }

  /// In its turn. Does nothing if meanwhile either has joined another.
  private func link(to stays: Domain) {
    Self.joining.withLock { _ in
      guard next.withLock({ $0 == nil }) else { return }
      let target = stays.root
      if target !== self { next.withLock { $0 = target } }
    }
  }

  // MARK: Changes

  /// Has `change` made to a source, and with it to all that is derived from it. From within another change, that
  /// happens after it.
  func transact(_ change: @escaping (Domain) -> Void) {
    let isDone: Void? = inTurn { domain in
      domain.later.append(change)
      if !domain.isRunning { domain.runChanges() }
    }
    if isDone == nil { root.serializer.submit { [self] in transact(change) } }
  }

  private func runChanges() {
    isRunning = true
    while !later.isEmpty {
      let changes = later
      later = []
      for change in changes {
        change(self)
        refreshAll()
        let shown = touched
        touched = []
        for node in shown { node.isChanged = false }
        for node in shown { node.notify() }
      }
    }
    isRunning = false
  }

  /// Refreshes what is pending, what is lower first: whatever it is derived from has its value then.
  private func refreshAll() {
    while lowest < levels.count {
      guard !levels[lowest].isEmpty else {
        lowest += 1
        continue
      }
      let level = lowest
      var nodes: [Node] = []
      swap(&nodes, &levels[level])
      for node in nodes {
        guard node.height == level else {
          put(node)
          continue
        }
        node.isPending = false
        node.refresh(in: self)
      }
    }
    lowest = levels.count
  }

  func enqueue(_ node: Node) {
    if node.isPending { return }
    node.isPending = true
    put(node)
  }

  private func put(_ node: Node) {
    while levels.count <= node.height { levels.append([]) }
    levels[node.height].append(node)
    lowest = min(lowest, node.height)
  }

  /// Has `node` shown, and what is derived from it refreshed.
  func touch(_ node: Node) {
    touched.append(node)
    node.markDependents(in: self)
  }

  // MARK: Releases

  /// Takes what a node kept, and releases it. A node that goes away with it leaves what it kept to the same loop: a chain of nodes is
  /// released without recursion, however long it is.
  func release(_ items: inout [Any]) {
    let isFirst = remains.withLock { remains in
      remains.items += items
      defer { remains.isReleasing = true }
      return !remains.isReleasing
    }
    items = []
    guard isFirst else { return }
    while let items = takeRemains() { withExtendedLifetime(items) {} }
  }

  private func takeRemains() -> [Any]? {
    remains.withLock { remains in
      if remains.items.isEmpty {
        remains.isReleasing = false
        return nil
      }
      defer { remains.items = [] }
      return remains.items
    }
  }
}
