/// An operator and its upstreams; a source has none.
///
/// In `flatMap`, `switchToLatest`, `catching` and `tryCatching` the second child describes the publishers that are
/// made on the way.
public struct Pipeline: Hashable, Sendable {
  public var root: Operator
  public var children: [Pipeline]

  public init(_ root: Operator, _ children: [Pipeline] = []) {
    self.root = root
    self.children = children
  }

  /// A source, and behind it operators of one upstream.
  public init(_ source: Source, _ operators: Operator...) {
    self = operators.reduce(Pipeline(.source(source))) { Pipeline($1, [$0]) }
  }

  /// This operator and all that are upstream of it.
  public var operators: [Operator] { [root] + children.flatMap(\.operators) }

  public var names: Set<String> { Set(operators.flatMap { [$0.name, $0.stepName].compactMap(\.self) }) }
}

extension Pipeline: CustomStringConvertible {
  public var description: String { lines(indent: "").joined(separator: "\n") }

  private func lines(indent: String) -> [String] {
    switch children.count {
    case 0: return [indent + root.description]
    case 1:
      // Deferred's child is not an upstream, but reads as one.
      return children[0].lines(indent: indent) + [indent + "  .\(root)"]
    default:
      return children[0].lines(indent: indent) + [indent + "  .\(root) with"]
        + children.dropFirst().flatMap { $0.lines(indent: indent + "      ") }
    }
  }
}
