import Streams
import Synchronization

/// The content of a scope, which keeps it until it is removed.
package protocol ScopeContent: AnyObject {
  /// Runs the body. It reads what it needs, and asks for the scope's children in `walk`.
  func evaluate(in scope: Scope)
  /// The scope has been removed. Its storage can be released here, as nothing reads it any more.
  func remove(from scope: Scope)
}

/// A place in a tree, which is evaluated again when a value that its body has read changes.
///
/// Its content has its own body, or belongs to the body that it is made in, which then walks through the children of both with
/// `walk`. Only `invalidate` and reading may be used on any thread; all else belongs to the updating thread.
package final class Scope: @unchecked Sendable {
  /// A step on the path from a scope to one of its children.
  package enum Step: Hashable {
    case index(Int)
    case key(AnyHashable)
  }

  /// Distinguishes a child from its siblings.
  package typealias Identity = [Step]

  package let tree: ScopeTree
  package private(set) var parent: Scope?
  package let identity: Identity
  package let depth: Int
  private let serial: Int

  package var content: (any ScopeContent)?
  /// In the order in which the body has asked for them.
  package private(set) var children: [Scope] = []
  private var previous = Previous()
  var environment: [ObjectIdentifier: EnvironmentEntry] = [:]
  /// Whether scopes below inherit no values from above.
  var isEnvironmentClosed = false

  /// Counts the evaluations.
  package private(set) var evaluation = 0
  /// The thread that runs the body, or 0.
  private let runner = Atomic<UInt32>(0)
  /// The values that the body has read.
  var reads: [Tracked] = []
  /// While the body runs: the values that it read the time before.
  private var readBefore: [Tracked] = []
  var observations: [ObjectIdentifier: Observation] = [:]
  /// Changed under the tree's lock.
  var isOut = false

  init(in tree: ScopeTree, parent: Scope?, identity: Identity) {
    (self.tree, self.parent, self.identity) = (tree, parent, identity)
    depth = parent.map { $0.depth + 1 } ?? 0
    serial = tree.nextSerial()
  }

  deinit {
    // Releases ancestors without other owners in a loop, because a tree may be deep.
    var above = parent.take()
    while isKnownUniquelyReferenced(&above) { above = above?.parent.take() }
  }

  /// Whether it has been removed from the tree.
  package var isRemoved: Bool { tree.state.withLock { _ in isOut } }

  /// Whether the caller runs within its body.
  package var isRunningHere: Bool { runner.load(ordering: .relaxed) == OwnerWord.currentThread }

  /// Makes the next update run the body again. May be called on any thread.
  package func invalidate() {
    tree.request { isOut ? false : $0.invalidate(self) }
  }

  /// Whether it is evaluated before the other.
  package func isBefore(_ other: Scope) -> Bool { (depth, serial) < (other.depth, other.serial) }

  package func isInside(_ other: Scope) -> Bool {
    var scope: Scope? = self
    while let current = scope, current.depth >= other.depth {
      if current === other { return true }
      scope = current.parent
    }
    return false
  }

  /// Whether it has no children yet, so that no scope below has read anything.
  var isLeaf: Bool { children.isEmpty && previous.isEmpty }

  // MARK: Evaluation

  /// Runs the body of the content. Afterwards the scope counts as reader of exactly what the body has read.
  package func evaluate() {
    guard let content else { return }
    evaluation += 1
    runner.store(OwnerWord.currentThread, ordering: .relaxed)
    defer { runner.store(0, ordering: .relaxed) }
    readBefore = exchange(&reads, with: [])
    Scope.reading(as: self) { content.evaluate(in: self) }
    for tracked in exchange(&readBefore, with: []) { tracked.forget(self, exceptIn: evaluation) }
    forgetObservations()
  }

  /// Runs code that asks for all children. Children that it does not ask for are removed at the end of this step of the update.
  package func walk<Result>(_ body: () -> Result) -> Result {
    previous = Previous(children)
    children = []
    let result = body()
    tree.abandoned += previous.left
    previous = Previous()
    return result
  }

  /// Called within `walk`, in the scope's own body: keeps the children that have not been asked for again, and all that the scope
  /// has read before.
  package func keepOthers() {
    children += previous.left
    previous = Previous()
    for tracked in readBefore { tracked.read() }
    for key in observations.keys { observations[key]?.evaluation = evaluation }
  }

  /// The child with this identity, made if there is none. If a body asks for an identity several times, it gets several children.
  package func child(_ identity: Identity) -> (scope: Scope, isNew: Bool) {
    let known = previous.take(identity)
    let child = known ?? Scope(in: tree, parent: self, identity: identity)
    children.append(child)
    return (child, known == nil)
  }

  /// The child with this identity, and its content. If that is of another type, the child is removed with all below it, like one
  /// that is not asked for, and another takes its place. A child that has just been made has no content yet.
  package func child<Content: ScopeContent>(
    _ identity: Identity, with type: Content.Type
  ) -> (scope: Scope, content: Content?) {
    let (child, _) = child(identity)
    guard let content = child.content else { return (child, nil) }
    if let content = content as? Content { return (child, content) }
    tree.abandoned.append(child)
    let other = Scope(in: tree, parent: self, identity: identity)
    children[children.count - 1] = other
    return (other, nil)
  }

  /// Removes the scope and all below it from the tree. It is a loop because a tree may be deep.
  func remove() {
    var left = [self]
    while let scope = left.popLast() {
      left += scope.children.reversed()
      tree.state.withLock { _ in scope.isOut = true }
      for tracked in exchange(&scope.reads, with: []) { tracked.forget(scope, exceptIn: nil) }
      let observations = exchange(&scope.observations, with: [:])
      let content = exchange(&scope.content, with: nil)
      scope.children = []
      withExtendedLifetime(observations) { content?.remove(from: scope) }
    }
  }
}

/// The former children of a scope while its body asks for them again, mostly in their former order.
private struct Previous {
  private var children: [Scope?] = []
  private var next = 0
  private var places: [Scope.Identity: ArraySlice<Int>]?

  init(_ children: [Scope] = []) { self.children = children }

  var isEmpty: Bool { children.isEmpty }
  var left: [Scope] { children.compactMap { $0 } }

  mutating func take(_ identity: Scope.Identity) -> Scope? {
    while next < children.count, children[next] == nil { next += 1 }
    if next < children.count, let child = children[next], child.identity == identity {
      children[next] = nil
      return child
    }
    if next == children.count { return nil }
    return find(identity).flatMap { children[$0].take() }
  }

  private mutating func find(_ identity: Scope.Identity) -> Int? {
    if places == nil {
      places = Dictionary(grouping: children.indices) { children[$0]?.identity ?? [] }.mapValues { $0[...] }
    }
    // Each place is looked at only one time: the places before it have been taken.
    while let place = places?[identity]?.popFirst() {
      if children[place] != nil { return place }
    }
    return nil
  }
}
