import StreamsScopes

/// Goes through what a body has returned, and finds or makes the scope of each view with a body.
public final class _ViewInputs {
  let core: HostCore
  private(set) var scope: Scope
  /// The way from the scope to where this is.
  private var path: Scope.Identity = []
  private(set) var pieces: [Piece] = []

  init(core: HostCore, scope: Scope) { (self.core, self.scope) = (core, scope) }

  /// Goes through one of several parts.
  func step(_ step: Scope.Step, _ body: () -> Void) {
    path.append(step)
    body()
    path.removeLast()
  }

  /// Goes through something that has an identity that the program has chosen.
  func identified(_ id: AnyHashable, _ body: () -> Void) {
    let parts = collect { step(.key(id), body) }
    pieces.append(.identified(id, parts))
  }

  private func collect(_ body: () -> Void) -> [Piece] {
    let outer = pieces
    pieces = []
    defer { pieces = outer }
    body()
    return pieces
  }

  /// Something that is shown, with what is in it.
  func element(_ element: Element, _ body: () -> Void = {}) {
    var element = element
    element.path = path
    element.pieces = collect(body)
    pieces.append(.element(element))
  }

  /// A view with a body of its own, which is evaluated if the view has changed, in this update.
  func place<V: View>(_ view: V) {
    let (child, isNew) = scope.child(path)
    if let content = child.content as? ViewContent<V>, !isNew {
      if content.take(view) { child.invalidate() }
    } else {
      child.content = ViewContent(view, core)
      child.invalidate()
    }
    pieces.append(.scope(child))
  }

  /// A scope without a body, of what lives as long as a view does. `body` gets what was kept there before.
  func within<Content: ScopeContent>(
    _ content: () -> Content, _ body: (_ scope: Scope, _ content: Content, _ isNew: Bool) -> Void
  ) {
    let (child, isNew) = scope.child(path)
    let known = child.content as? Content
    let kept = known ?? content()
    child.content = kept
    let outer = (scope, path)
    (scope, path) = (child, [])
    let parts = collect { child.walk { body(child, kept, isNew || known == nil) } }
    (scope, path) = outer
    pieces.append(.within(child, parts))
  }
}

/// What belongs to the main actor, called on whatever thread the host's scheduler has chosen.
func onMainActor<Result>(_ body: @MainActor () -> Result) -> Result {
  withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Result).self)() }
}

/// A scope's content that has nothing to do when it is removed, and no body.
class RetainedContent: ScopeContent {
  func evaluate(in scope: Scope) {}
  func remove(from scope: Scope) {}
}
