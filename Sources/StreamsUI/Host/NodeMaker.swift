import StreamsScopes

/// Makes nodes of the pieces that have changed. It is a loop because a tree may be deep.
struct NodeMaker {
  /// The nodes of a scope, and what they were made of besides its pieces.
  struct Made {
    fileprivate let id: AnyHashable?
    fileprivate let surroundings: Surroundings
    fileprivate let nodes: [ViewHost.Node]
  }

  /// The environment values that nodes depend on.
  fileprivate struct Surroundings: Equatable {
    let isEnabled: Bool
    let lineLimit: Int?
    let layoutDirection: LayoutDirection

    init(_ values: EnvironmentValues) {
      (isEnabled, lineLimit) = (values.isEnabled, values.lineLimit)
      layoutDirection = values.layoutDirection
    }

    func inside(_ scope: Scope) -> Self {
      scope.givesEnvironment ? Self(EnvironmentValues(scope: scope)) : self
    }
  }

  private enum Step {
    case make(Piece, in: Scope, id: AnyHashable?, Surroundings)
    /// An element's content has been made.
    case close(Element, ViewHost.Node)
    /// A scope's content has been made.
    case keep(any Rendered, id: AnyHashable?, Surroundings)
  }

  private var left: [Step] = []
  /// The nodes made so far: one list for each open element and scope, after one for the top.
  private var nodes: [[ViewHost.Node]] = [[]]
  /// Whether nodes are kept, and those used that have been.
  private let isKeeping: Bool

  private init(isKeeping: Bool) { self.isKeeping = isKeeping }

  static func nodes(of root: Scope, keeping isKeeping: Bool) -> [ViewHost.Node] {
    var maker = NodeMaker(isKeeping: isKeeping)
    maker.left = [.make(.scope(root), in: root, id: nil, Surroundings(EnvironmentValues(scope: root)))]
    while let step = maker.left.popLast() { maker.take(step) }
    return maker.nodes[0]
  }

  /// Forgets the nodes of a scope and of those that it is in: what they were made of has changed.
  static func forgetNodes(from scope: Scope?) {
    var changed = scope
    while let scope = changed {
      changed = scope.parent
      guard let content = scope.content as? any Rendered else { continue }
      // Where nothing is kept, nothing is kept above.
      if content.made == nil { return }
      content.made = nil
    }
  }

  private mutating func take(_ step: Step) {
    switch step {
    case .make(.element(let element), let scope, let id, let surroundings):
      let node = Self.node(of: element, in: scope, id: id, surroundings)
      if element.pieces.isEmpty { return close(element, node, []) }
      left.append(.close(element, node))
      nodes.append([])
      make(element.pieces, in: scope, id: nil, surroundings)
    case .make(.scope(let scope), _, let id, let surroundings):
      guard let content = scope.content as? any Rendered else { return }
      make(content, in: scope, id: id, surroundings.inside(scope))
    case .make(.within(let scope, let pieces), _, let id, let surroundings):
      make(pieces, in: scope, id: id, surroundings.inside(scope))
    case .make(.identified(let id, let pieces), let scope, _, let surroundings):
      make(pieces, in: scope, id: id, surroundings)
    case .close(let element, let node):
      close(element, node, nodes.removeLast())
    case .keep(let content, let id, let surroundings):
      let made = nodes.removeLast()
      if isKeeping { content.made = Made(id: id, surroundings: surroundings, nodes: made) }
      nodes[nodes.count - 1] += made
    }
  }

  private mutating func make(
    _ content: any Rendered, in scope: Scope, id: AnyHashable?, _ surroundings: Surroundings
  ) {
    if isKeeping, let made = content.made, made.id == id, made.surroundings == surroundings {
      nodes[nodes.count - 1] += made.nodes
      return
    }
    left.append(.keep(content, id: id, surroundings))
    nodes.append([])
    make(content.pieces, in: scope, id: id, surroundings)
  }

  private mutating func make(
    _ pieces: [Piece], in scope: Scope, id: AnyHashable?, _ surroundings: Surroundings
  ) {
    for piece in pieces.reversed() { left.append(.make(piece, in: scope, id: id, surroundings)) }
  }

  private mutating func close(_ element: Element, _ node: ViewHost.Node, _ children: [ViewHost.Node]) {
    if element.isHidden {
      // A presentation is above all windows: what hides the view that it belongs to does not hide it.
      nodes[nodes.count - 1] += ViewHost.Node.presentations(in: children)
      return
    }
    let parts = element.isForEach ? children.map { [$0] } : [children]
    for part in parts {
      // A presentation stands beside the view that it belongs to.
      if element.isForEach, part[0].isAbove {
        nodes[nodes.count - 1].append(part[0])
        continue
      }
      var node = node
      node.children = part
      nodes[nodes.count - 1].append(node)
    }
  }

  private static func node(
    of element: Element, in scope: Scope, id: AnyHashable?, _ surroundings: Surroundings
  ) -> ViewHost.Node {
    var attributes = element.attributes
    if surroundings.layoutDirection == .rightToLeft { attributes["layoutDirection"] = "rightToLeft" }
    switch element.action {
    case .tap, .toggle, .type, .slide, .step:
      if !surroundings.isEnabled { attributes["disabled"] = "true" }
    case .none, .dismiss:
      attributes["colorScheme"] = element.presentation?.colorScheme.map { "\($0)" }
      if element.kind == "Text", let limit = surroundings.lineLimit { attributes["lineLimit"] = "\(limit)" }
    }
    return ViewHost.Node(
      kind: element.kind, text: element.text, id: id, place: (scope, element.path),
      attributes: attributes, action: element.action, row: element.row)
  }
}
