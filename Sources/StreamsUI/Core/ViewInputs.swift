import StreamsScopes

/// Walks through the result of a body, and finds or makes the scope of each view with a body.
public final class _ViewInputs {
  let core: HostCore
  private(set) var scope: Scope
  /// The path from the scope to the current place.
  private var path: Scope.Identity = []
  private(set) var pieces: [Piece] = []
  /// The identity that the program has chosen for the innermost part around the current place.
  private(set) var identity: AnyHashable?
  /// What a user can do with the element of a ``ForEach`` that is being made.
  private(set) var row: ViewHost.Node.Row?

  init(core: HostCore, scope: Scope) { (self.core, self.scope) = (core, scope) }

  /// Walks through one of several parts.
  func step(_ step: Scope.Step, _ body: () -> Void) {
    path.append(step)
    body()
    path.removeLast()
  }

  /// Walks through a part with an identity that the program has chosen, and perhaps with what a user can do with it.
  func identified(_ id: AnyHashable, row: ViewHost.Node.Row? = nil, _ body: () -> Void) {
    let outer = (identity, self.row)
    (identity, self.row) = (id, row ?? self.row)
    let parts = collect { step(.key(id), body) }
    (identity, self.row) = outer
    pieces.append(.identified(id, parts))
  }

  private func collect(_ body: () -> Void) -> [Piece] {
    let outer = pieces
    pieces = []
    defer { pieces = outer }
    body()
    return pieces
  }

  /// Adds an element that is shown, and its content.
  func element(_ element: Element, _ body: () -> Void = {}) {
    var element = element
    element.path = path
    element.pieces = collect(body)
    pieces.append(.element(element))
  }

  /// Adds a view with a body of its own, which is evaluated in this update if the view has changed.
  func place<V: View>(_ view: V) {
    let (child, content) = scope.child(path, with: ViewContent<V>.self)
    if let content {
      if content.take(view) { child.invalidate() }
    } else {
      child.content = ViewContent(view, core)
      child.invalidate()
    }
    pieces.append(.scope(child))
  }

  /// Adds a scope without a body, for content that lives as long as a view does. `body` gets the content that was kept there.
  func within<Content: ScopeContent>(
    _ content: () -> Content, _ body: (_ scope: Scope, _ content: Content, _ isNew: Bool) -> Void
  ) {
    let (child, known) = scope.child(path, with: Content.self)
    let kept = known ?? content()
    child.content = kept
    let outer = (scope, path)
    (scope, path) = (child, [])
    let parts = collect { child.walk { body(child, kept, known == nil) } }
    (scope, path) = outer
    pieces.append(.within(child, parts))
  }
}

/// Calls main-actor code on the thread that the host's scheduler has chosen.
func onMainActor<Result>(_ body: @MainActor () -> Result) -> Result {
  withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Result).self)() }
}

extension Scope {
  /// The nearest scope above with content of this type.
  func enclosing<Content: ScopeContent>(_ type: Content.Type) -> (scope: Scope, content: Content)? {
    var above = parent
    while let scope = above {
      if let content = scope.content as? Content { return (scope, content) }
      above = scope.parent
    }
    return nil
  }
}

/// A scope's content without a body, and with nothing to do when it is removed.
class RetainedContent: ScopeContent {
  func evaluate(in scope: Scope) {}
  func remove(from scope: Scope) {}
}
