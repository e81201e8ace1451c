public import Streams
public import Synchronization

/// A node with its value.
@usableFromInline
final class ValueNode<Value>: Node, @unchecked Sendable {
  /// Changed in the turn, under the lock.
  @usableFromInline let cell: Cell<Value>

  @usableFromInline
  init(_ value: Value, isFinished: Bool, home: DependencyGraph) {
    cell = Cell(value)
    super.init(isFinished: isFinished, home: home)
  }

  @inlinable
  var value: Value { shared.withLock { _ in cell.value } }

  /// The value and its version.
  @inlinable
  var snapshot: (value: Value, version: Int) { shared.withLock { _ in (cell.value, version) } }

  /// The value, for a thread that is in the turn, during which no other thread changes it.
  @inlinable @inline(__always)
  var current: Value { cell.value }

  /// In a transaction: takes a new value.
  @inlinable @inline(__always)
  func take(_ value: Value) {
    var replaced = value
    shared.withLock { _ in
      swap(&cell.value, &replaced)
      versions.store(version + 1, ordering: .releasing)
    }
    marks.value.isChanged = true
    withExtendedLifetime(replaced) {}
  }

  @usableFromInline
  override func bridged(_ handle: Handle) -> Handle { Bridge<Value>.handle(to: handle) }
}

// MARK: - Sources

extension ValueNode {
  /// A node whose values come from a publisher; in an endless circle of changes it gets `substitute`, if there is one.
  @inlinable
  static func following<P: Publisher>(
    _ publisher: P, from initial: Value, keeping subject: AnyObject? = nil, substitute: Value? = nil
  ) -> Handle where P.Output == Value, P.Failure == Never {
    let node = ValueNode(initial, isFinished: false, home: DependencyGraph())
    let handle = Handle(node)
    let cancellable = publisher.sink(
      receiveCompletion: { _ in node.end() },
      receiveValue: { value in
        if let substitute { node.change(value, substitute: substitute) } else { node.change(value) }
      })
    node.keep([cancellable] + (subject.map { [$0] } ?? []))
    return handle
  }

  @inlinable
  func change(_ value: Value) {
    home.transact({ accept(value, in: $0) }, later: { { self.accept(value, in: $0) } })
  }

  @inlinable @inline(__always)
  func accept(_ value: Value, in graph: DependencyGraph) {
    if isFinished { return }
    take(value)
    graph.touch(self)
  }

  /// Changes the value, to `substitute` in an endless circle of changes. Changes that follow from that are ignored, and the
  /// circle ends.
  @usableFromInline
  func change(_ value: Value, substitute: Value) {
    let change = { [self] (graph: DependencyGraph) in
      switch graph.circle {
      case .none: accept(value, in: graph)
      case .found: accept(substitute, in: graph)
      case .known: break
      }
    }
    home.transact(change, later: { change })
  }

  @usableFromInline
  func end() {
    home.transact({ acceptEnd(in: $0) }, later: { { self.acceptEnd(in: $0) } })
  }

  private func acceptEnd(in graph: DependencyGraph) {
    if isFinished { return }
    finish(in: graph)
    graph.touch(self)
  }
}
