import Streams
import Synchronization

/// Follows a property whose graph cannot be joined yet, as when this thread is in the turns of both.
class AnyBridge {
  private static let count = Atomic(0)
  /// Whether a property may depend on another one by way of a bridge.
  static var exist: Bool { count.load(ordering: .acquiring) > 0 }

  final let original: Handle

  init(to original: Handle) {
    self.original = original
    Self.count.add(1, ordering: .acquiringAndReleasing)
  }

  deinit { Self.count.subtract(1, ordering: .acquiringAndReleasing) }
}

/// A node that follows the original as any subscriber would, and as a derived node as soon as the turn is over. Only then is it up
/// to date before the original's other subscribers are notified.
final class Bridge<Value>: AnyBridge {
  private let node: ValueNode<Value>
  /// Of the original's value that the node has. Accessed only in the node's turn.
  private var version: Int

  override private init(to original: Handle) {
    let (value, version) = Property<Value>(original).node.snapshot
    (node, self.version) = (ValueNode(value, isFinished: false, home: DependencyGraph()), version)
    super.init(to: original)
  }

  static func handle(to original: Handle) -> Handle {
    let bridge = Bridge(to: original)
    let handle = Handle(bridge.node)
    let cancellable = Property<Value>(original).allValues.sink(
      receiveCompletion: { _ in bridge.node.end() },
      receiveValue: { _ in bridge.change() })
    bridge.node.keep([cancellable, bridge])
    bridge.deriveAfterwards(in: original.node.home, joining: bridge.node.home)
    return handle
  }

  private var source: ValueNode<Value> { unsafeDowncast(original.node, to: ValueNode<Value>.self) }

  private func change() {
    let (value, version) = source.snapshot
    let change = { [self] (graph: DependencyGraph) in
      // Of two threads, each may have closed a half of a circle.
      if graph.circle == .none { accept(value, version, in: graph) }
    }
    node.home.transact(change, later: { change })
  }

  /// The first value may be the one that the node was made with. One that comes after the graphs have been joined is known.
  private func accept(_ value: Value, _ version: Int, in graph: DependencyGraph) {
    if node.isDerived || version <= self.version { return }
    self.version = version
    node.accept(value, in: graph)
  }

  /// When the turn of one graph is over, this thread may still be in that of the other, or another thread that waits for it: then
  /// it is tried again after that one.
  private func deriveAfterwards(in home: DependencyGraph, joining other: DependencyGraph) {
    home.afterwards { [self] graph in
      if node.hasLeft || node.isFinished || source.isFinished { return }
      if home.join(other) == nil { return deriveAfterwards(in: other, joining: home) }
      if !source.isDerived(from: node) { derive(in: graph) }
    }
  }

  private func derive(in graph: DependencyGraph) {
    accept(source.current, source.version, in: graph)
    let upstream = node.takeUpstream()
    node.start(from: [original]) { [source] node, _ in
      if source.isChanged { unsafeDowncast(node, to: ValueNode<Value>.self).take(source.current) }
      return Node.Outcome(isLast: false, isEarly: false)
    }
    ReleaseQueue.release { $0 += upstream }
  }
}
