import StreamsProperty
import StreamsScopes

extension ViewHost {
  /// Something that is shown.
  public struct Node: CustomStringConvertible {
    /// What a person can do with it.
    public enum Action {
      /// Nothing.
      case none
      /// Tap it.
      case tap(() -> Void)
      /// Turn it on or off.
      case toggle(Binding<Bool>)
      /// Type text into it.
      case type(Binding<String>)
      /// Close it.
      case dismiss(() -> Void)
    }

    /// The name of the view's type, such as `Text` or `Button`.
    public let kind: String
    /// A text's text, a picture's name.
    public let text: String
    /// The identity that the program has given it, with `id(_:)` or by `ForEach`.
    public let id: AnyHashable?
    /// Where it is, and the way there in the scope's body.
    let place: (scope: Scope, steps: Scope.Identity)
    /// What else there is to say of it, such as `isOn`, `value`, `length`, `lineLimit` or `disabled`.
    public internal(set) var attributes: [String: String]
    /// What a person can do with it.
    public let action: Action
    /// What is in it.
    public internal(set) var children: [Node] = []

    /// The way to it: the views with a body, and the places and identities that tell their parts apart.
    public var path: String {
      let parts = [HostCore.path(of: place.scope)] + place.steps.map(HostCore.name)
      return parts.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// What a person would call it: its text, or else the texts in it, or else the names of the pictures in it.
    public var label: String {
      if !text.isEmpty { return text }
      let texts = all.filter { $0.kind == "Text" }
      return (texts.isEmpty ? all.filter { $0.kind == "Image" } : texts).map(\.text).joined(separator: " ")
    }

    /// It and all that is in it, from the first to the last.
    public var all: [Node] {
      var found: [Node] = []
      var left = [self]
      while let node = left.popLast() {
        found.append(node)
        left += node.children.reversed()
      }
      return found
    }

    /// Whether a person can use it.
    public var isEnabled: Bool { attributes["disabled"] == nil }

    /// What it is, and below it, indented, what is in it.
    public var description: String { lines(indented: "").joined(separator: "\n") }

    func lines(indented: String) -> [String] {
      let named = text.isEmpty ? [kind] : [kind, "\"\(text)\""]
      let more = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let own = indented + (named + more).joined(separator: " ")
      return [own] + children.flatMap { $0.lines(indented: indented + "  ") }
    }
  }

  /// What is shown: a window, or a program with its windows.
  public var tree: Node {
    var nodes = NodeMaker().nodes(of: .scope(core.tree.root), in: core.tree.root)
    if nodes.count == 1 { return nodes.removeFirst() }
    return Node(
      kind: "App", text: "", id: nil, place: (core.tree.root, []), attributes: [:], action: .none,
      children: nodes)
  }
}

/// What is shown, as indented text.
extension ViewHost: @preconcurrency CustomStringConvertible {
  /// What is in the window, or in the windows of a program.
  public var description: String {
    tree.children.map(\.description).joined(separator: "\n")
  }
}

/// Makes nodes of pieces.
struct NodeMaker {
  func nodes(of piece: Piece, in scope: Scope, id: AnyHashable? = nil) -> [ViewHost.Node] {
    switch piece {
    case .element(let element):
      return [node(of: element, in: scope, id: id)]
    case .scope(let scope):
      let pieces = (scope.content as? any Rendered)?.pieces ?? []
      return pieces.flatMap { nodes(of: $0, in: scope, id: id) }
    case .within(let scope, let pieces):
      return pieces.flatMap { nodes(of: $0, in: scope, id: id) }
    case .identified(let id, let pieces):
      return pieces.flatMap { nodes(of: $0, in: scope, id: id) }
    }
  }

  private func node(of element: Element, in scope: Scope, id: AnyHashable?) -> ViewHost.Node {
    var attributes = element.attributes
    let values = EnvironmentValues(scope: scope)
    switch element.action {
    case .tap, .toggle, .type:
      if !values.isEnabled { attributes["disabled"] = "true" }
    case .none, .dismiss:
      attributes["colorScheme"] = element.presentation?.colorScheme.map { "\($0)" }
      if element.kind == "Text", let limit = values.lineLimit { attributes["lineLimit"] = "\(limit)" }
    }
    return ViewHost.Node(
      kind: element.kind, text: element.text, id: id, place: (scope, element.path),
      attributes: attributes, action: element.action,
      children: element.pieces.flatMap { nodes(of: $0, in: scope) })
  }
}
