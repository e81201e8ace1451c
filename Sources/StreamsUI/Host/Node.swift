import StreamsProperty
import StreamsScopes

extension ViewHost {
  /// An element that is shown.
  public struct Node: CustomStringConvertible {
    /// An action of the user.
    public enum Action {
      /// Nothing.
      case none
      /// Tap it.
      case tap(() -> Void)
      /// Turn it on or off.
      case toggle(Binding<Bool>)
      /// Type text into it.
      case type(Binding<String>)
      /// Move it to another number; one that cannot be chosen becomes the nearest that can. A key moves
      /// it by `step`.
      case slide(Binding<Double>, step: Double)
      /// Increase or decrease it; nil at an end.
      case step(up: (() -> Void)?, down: (() -> Void)?)
      /// Close it.
      case dismiss(() -> Void)
    }

    /// The name of the view's type, such as `Text` or `Button`.
    public let kind: String
    /// The text of a text, or the name of a picture.
    public let text: String
    /// The identity from the program, by `id(_:)` or `ForEach`.
    public let id: AnyHashable?
    /// Its scope, and the path to it in the scope's body.
    let place: (scope: Scope, steps: Scope.Identity)
    /// Further attributes, such as `isOn`, `value`, `length`, `lineLimit` or `disabled`.
    public internal(set) var attributes: [String: String]
    /// What a user can do with it.
    public let action: Action
    /// Set if it is a row that a user can delete or move.
    public let row: Row?
    /// The nodes in it.
    public internal(set) var children: [Node] {
      get { content?.nodes ?? [] }
      set { content = newValue.isEmpty ? nil : NodeList(newValue) }
    }
    fileprivate var content: NodeList?
    /// The digest of `text`.
    private let textDigest: LabelDigest

    init(
      kind: String, text: String = "", id: AnyHashable? = nil, place: (Scope, Scope.Identity),
      attributes: [String: String] = [:], action: Action = .none, row: Row? = nil
    ) {
      (self.kind, self.text, self.id, self.place) = (kind, text, id, place)
      (self.attributes, self.action, self.row) = (attributes, action, row)
      textDigest = LabelDigest(of: text)
    }

    /// The path to it: the views with a body, and the places and identities that distinguish their parts.
    public var path: String {
      let above = place.scope.tree.gate.look { HostCore.path(of: place.scope) }
      let parts = [above] + place.steps.map(HostCore.name)
      return parts.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// Distinguishes it from all others, also from nodes of earlier trees.
    package var key: Key { Key(scope: ObjectIdentifier(place.scope), steps: place.steps, kind: kind) }

    package struct Key: Hashable {
      let scope: ObjectIdentifier
      let steps: Scope.Identity
      /// A row and a control that it consists of are in one place.
      let kind: String
    }

    /// Its name for a user: its text, or else the texts in it, or else the names of the pictures in it.
    public var label: String {
      if !text.isEmpty { return text }
      let all = all
      let texts = all.filter { $0.kind == "Text" }
      return (texts.isEmpty ? all.filter { $0.kind == "Image" } : texts).map(\.text).joined(separator: " ")
    }

    /// Whether `label` is its label.
    func isCalled(_ label: String, _ digest: LabelDigest) -> Bool {
      if !text.isEmpty { return textDigest.isOfSameText(as: digest) && text == label }
      let own = content.map { $0.texts.isOfNone ? $0.images : $0.texts } ?? LabelDigest()
      return own.isOfSameText(as: digest) && self.label == label
    }

    /// The digest of the texts of this node, if it is of the kind, and of those `inside` it.
    fileprivate func digest(_ kind: String, _ inside: LabelDigest?) -> LabelDigest {
      let inside = inside ?? LabelDigest()
      return self.kind == kind ? textDigest.joined(with: inside) : inside
    }

    /// The node and all nodes in it, in order.
    public var all: [Node] { Array(inOrder) }

    /// The node and all nodes in it, one at a time.
    var inOrder: some Sequence<Node> { NodesInOrder(self) }

    /// Whether it is shown above the window: a popover, a sheet, an alert or a dialog.
    package var isAbove: Bool { if case .dismiss = action { true } else { false } }

    /// The presentations in these nodes, but not those in others. It is a loop because a tree may be deep.
    static func presentations(in nodes: [Node]) -> [Node] {
      var found: [Node] = []
      var left = Array(nodes.reversed())
      while let node = left.popLast() {
        if node.isAbove {
          found.append(node)
        } else if let content = node.content, content.hasPresentation {
          left += content.nodes.reversed()
        }
      }
      return found
    }

    /// Closes the presentation or the page that it is in.
    package func dismiss() { EnvironmentValues(scope: place.scope).dismiss.action() }

    /// Whether it can have the focus.
    var isControl: Bool {
      switch action {
      case .none, .dismiss: false
      case .tap, .toggle, .type, .slide, .step: true
      }
    }

    /// Whether a user can use it.
    public var isEnabled: Bool { attributes["disabled"] == nil }

    /// The node's line, and below it, indented, those of the nodes in it.
    public var description: String {
      var lines: [String] = []
      var left = [(node: self, depth: 0)]
      while let (node, depth) = left.popLast() {
        lines.append(String(repeating: "  ", count: depth) + node.line)
        left += node.children.reversed().map { ($0, depth + 1) }
      }
      return lines.joined(separator: "\n")
    }

    private var line: String {
      let named = text.isEmpty ? [kind] : [kind, "\"\(text)\""]
      let more = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return (named + more).joined(separator: " ")
    }
  }

  /// The nodes that are shown: a window, or a program with its windows. Waits while another thread evaluates bodies.
  public var tree: Node { core.nodes(keeping: true) }

  /// The nodes that are shown, all of them made anew, for tests to compare with those that are kept.
  package var treeMadeAnew: Node { core.nodes(keeping: false) }
}

extension HostCore {
  /// The nodes that are shown.
  func nodes(keeping isKept: Bool) -> ViewHost.Node {
    tree.gate.look {
      let root = tree.root
      var nodes = NodeMaker.nodes(of: root, keeping: isKept)
      if nodes.count == 1 { return nodes.removeFirst() }
      var app = ViewHost.Node(kind: "App", place: (root, []))
      app.children = nodes
      return app
    }
  }
}

/// A node and all nodes in it. It is a loop because a tree may be deep.
private struct NodesInOrder: Sequence, IteratorProtocol {
  private var first: ViewHost.Node?
  private var left: [(list: NodeList, next: Int)] = []

  init(_ node: ViewHost.Node) { first = node }

  mutating func next() -> ViewHost.Node? {
    if let node = first.take() { return entering(node) }
    while let (list, next) = left.last {
      if next < list.nodes.count {
        left[left.count - 1].next += 1
        return entering(list.nodes[next])
      }
      left.removeLast()
    }
    return nil
  }

  private mutating func entering(_ node: ViewHost.Node) -> ViewHost.Node {
    if let content = node.content { left.append((content, 0)) }
    return node
  }
}

/// The nodes in a node.
private final class NodeList {
  private(set) var nodes: [ViewHost.Node]
  /// The digests of all texts in it, and of the names of all pictures.
  let texts, images: LabelDigest
  /// Whether one of them, or one in them, is a presentation.
  let hasPresentation: Bool

  init(_ nodes: [ViewHost.Node]) {
    self.nodes = nodes
    texts = nodes.reduce(LabelDigest()) { $0.joined(with: $1.digest("Text", $1.content?.texts)) }
    images = nodes.reduce(LabelDigest()) { $0.joined(with: $1.digest("Image", $1.content?.images)) }
    hasPresentation = nodes.contains { $0.isAbove || $0.content?.hasPresentation == true }
  }

  deinit {
    // Releases nodes without other owners in a loop, because a tree may be deep.
    var left = exchange(&nodes, with: [])
    while var node = left.popLast() {
      if isKnownUniquelyReferenced(&node.content), let content = node.content {
        left += exchange(&content.nodes, with: [])
      }
    }
  }
}

/// The nodes that are shown, as indented text.
extension ViewHost: CustomStringConvertible {
  /// The content of the window, or of a program's windows.
  nonisolated public var description: String {
    core.nodes(keeping: true).children.map(\.description).joined(separator: "\n")
  }
}
