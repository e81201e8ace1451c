import StreamsShims
import Synchronization

/// The functions of properties that are running on a thread.
@usableFromInline
enum Scope {
  static var isEntered: Bool { streams_property_functions() > 0 }

  /// Runs `body`, which runs functions of properties.
  @usableFromInline
  static func within<Result>(_ body: () -> Result) -> Result {
    streams_add_property_functions(1)
    defer { streams_add_property_functions(-1) }
    return body()
  }
}

/// Decides which properties a property follows.
@usableFromInline
class Follower {
  let source: Node

  init(source: Node) { self.source = source }

  /// Called when the source is up to date: releases what is no longer followed. Returns whether there was any.
  func decide(_ derived: Node) -> Bool { false }
}

extension Node {
  var sources: [Node] { shared.withLock { $0.sources.map(\.handle.node) } }

  /// The nodes that follow an inner node, directly or through other inner nodes; and the inner nodes on the way.
  func followers() -> (found: [(derived: Node, follower: Follower)], passed: [Node]) {
    var found: [(derived: Node, follower: Follower)] = []
    var passed: [Node] = []
    var seen: Set = [ObjectIdentifier(self)]
    var nodes = [self]
    while let node = nodes.popLast() {
      passed.append(node)
      for dependent in node.existingDependents {
        if let follower = dependent.follower, follower.source !== node { found.append((dependent, follower)) }
        if dependent.isInner, seen.insert(ObjectIdentifier(dependent)).inserted { nodes.append(dependent) }
      }
    }
    return (found, passed)
  }

  /// Whether an inner node has a subscriber, or a dependent that is not inner.
  var isNeeded: Bool {
    followers().passed.contains { node in
      node.isWatched.load(ordering: .relaxed) || node.existingDependents.contains { !$0.isInner }
    }
  }

  private var follower: Follower? { marks.value.follower?.takeUnretainedValue() }

  /// Whether it is `other`, or derived from it, also by way of bridges. Called in the turn of both.
  func isDerived(from other: Node) -> Bool {
    // The heights of two graphs do not compare.
    guard AnyBridge.exist else {
      return walk(while: { $0.height >= other.height }, { $0.sources }).contains { $0 === other }
    }
    return walk(while: { _ in true }, { $0.sources + $0.originals }).contains { $0 === other }
  }

  private var originals: [Node] {
    shared.withLock { $0.upstream.compactMap { ($0 as? AnyBridge)?.original.node } }
  }

  /// The nodes that must be up to date before this one is refreshed: its sources, and those that decide whether it is still
  /// followed.
  var required: [Node] {
    guard isInner else { return sources }
    return sources + followers().found.map(\.follower.source).filter { $0.height < height }
  }

  /// The node and all that must be up to date before it, lowest first, without those that are lower than `floor` or have been
  /// updated already.
  func requirements(from floor: Int, in transaction: Int) -> [Node] {
    walk(while: { $0.height >= floor && $0.upToDateIn != transaction }, { $0.required })
      .sorted { $0.height < $1.height }
  }

  private func walk(while isToBePassed: (Node) -> Bool, _ next: (Node) -> [Node]) -> [Node] {
    var found: [Node] = []
    var seen: Set = [ObjectIdentifier(self)]
    var nodes = [self]
    while let node = nodes.popLast() {
      guard isToBePassed(node) else { continue }
      found.append(node)
      for each in next(node) where seen.insert(ObjectIdentifier(each)).inserted { nodes.append(each) }
    }
    return found
  }
}
