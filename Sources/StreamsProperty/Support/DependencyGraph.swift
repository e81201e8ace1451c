import Streams
import Synchronization

/// Shared by properties with common descendants: one change at a time runs through it.
///
/// Each source starts with its own. Deriving a property from several joins their graphs permanently. Closures and subscribers
/// run in the graph's turn, and without a lock.
@usableFromInline
final class DependencyGraph: @unchecked Sendable {
  private enum Entry<Result> {
    case done(Result)
    case moved
    case refused
  }

  /// Held while two graphs are joined, so that they do not join each other. Not by `withLock`: an empty state has the address of
  /// the lock's word, and ThreadSanitizer reports a use of it as a race.
  nonisolated(unsafe) private static let joining = Lock(())

  let serializer = Serializer()
  /// The graph that this one has joined.
  private let next = Lock<DependencyGraph?>(nil)
  let hasMoved = Atomic(false)

  /// Accessed only in the turn.
  struct Run {
    var isRunning = false
    /// 1 for a change from outside, and one more for the changes that follow from it.
    var round = 0
    var changes = 0
    /// The round in which the circle was found.
    var endlessRound: Int?
    var later: [(DependencyGraph) -> Void] = []
    /// The nodes to notify subscribers of, and by height the nodes to refresh. The lists own references, so that looking at a
    /// node counts none.
    var touched: [Unmanaged<Node>] = []
    /// The node to refresh while there is only one, as along a chain.
    var sole: Unmanaged<Node>?
    var levels: [[Unmanaged<Node>]] = []
    var lowest = 0
    /// How many functions of properties are running, nested in each other.
    var refreshing = 0
    /// While they run, nodes lower than this are up to date.
    var floor = 0
    /// Nodes to refresh only if they are still kept in the end.
    var postponed: [Node] = []
    /// The number of the running transaction, 0 if it has not been needed.
    var number = 0
    /// Whether a node has finished in the running transaction.
    var sawEnd = false
    /// Empty, with room for nodes.
    var spare: [Unmanaged<Node>] = []
  }

  let run = Cell(Run())
  let waiting = WaitingChanges()

  @usableFromInline init() {}

  deinit {
    guard let further = next.withLock({ $0.take() }) else { return }
    ReleaseQueue.release { $0.append(further) }
  }

  // MARK: Turns

  var root: DependencyGraph { hasMoved.load(ordering: .acquiring) ? furthest : self }

  private var furthest: DependencyGraph {
    var root = self
    var passed: [DependencyGraph] = []
    while let further = root.next.withLock({ $0 }) {
      passed.append(root)
      root = further
    }
    // Shortens the way for later calls.
    for graph in passed.dropLast() {
      let replaced = graph.next.withLock { next in
        defer { next = root }
        return next
      }
      withExtendedLifetime(replaced) {}
    }
    return root
  }

  /// Runs `body` in this graph's turn. Returns nil, without running it, where waiting would deadlock.
  @usableFromInline
  func inTurn<Result>(_ body: (DependencyGraph) -> Result) -> Result? {
    while true {
      let graph = root
      let entry: Entry<Result> = graph.serializer.run(
        { graph.hasMoved.load(ordering: .acquiring) ? .moved : .done(body(graph)) },
        busy: { .refused })
      switch entry {
      case .done(let result): return result
      case .moved: continue
      case .refused: return nil
      }
    }
  }

  /// Runs `body`, which derives a property, in this graph's turn, as ``inTurn(_:)`` does. From within a turn it makes none of the
  /// changes that were left: a property that is being derived further up the stack would miss them.
  @usableFromInline
  func inTurnToDerive<Result>(_ body: (DependencyGraph) -> Result) -> Result? {
    let graph = root
    return graph.serializer.isEntered ? body(graph) : inTurn(body)
  }

  /// Joins the graphs of several nodes. Returns nil where that could deadlock.
  @usableFromInline
  static func joined(_ handles: [Handle]) -> DependencyGraph? {
    let nodes = handles.map(\.node)
    let live = nodes.filter { !$0.isSettled }
    guard var graph = live.first?.home ?? nodes.first?.home else { return DependencyGraph() }
    for node in live.dropFirst() {
      guard let joined = graph.join(node.home) else { return nil }
      graph = joined
    }
    return graph
  }

  func join(_ other: DependencyGraph) -> DependencyGraph? {
    while true {
      var (stays, goes) = (root, other.root)
      if stays === goes { return stays }
      // A graph whose turn this thread is in stays: a frame further up the stack uses it.
      if goes.serializer.isEntered { swap(&stays, &goes) }
      if goes.serializer.isEntered { return nil }
      let isJoined = goes.serializer.run(
        {
          goes.link(to: stays)
          return true
        }, busy: { false })
      if !isJoined { return nil }
    }
  }

  /// In its turn, with none further up the stack: makes the changes that were left or wait, and joins. Those that come later go
  /// to the other graph.
  private func link(to stays: DependencyGraph) {
    repeat {
      _ = serializer.runEarlier()
      makeWaiting()
    } while !serializer.unlessSignalsAreLeft { waiting.runIfEmpty { linkNow(to: stays) } }
  }

  /// Does nothing if either has joined another by now.
  private func linkNow(to stays: DependencyGraph) {
    Self.joining.lock()
    defer { Self.joining.unlock() }
    guard next.withLock({ $0 == nil }) else { return }
    let target = stays.root
    if target === self { return }
    next.withLock { $0 = target }
    hasMoved.store(true, ordering: .releasing)
  }
}
