/// Writes a tree, each node on a line, indented below its parent.
///
/// Nodes that are too deep, and lines beyond the greatest number, are left out.
package func indentedTree<Node>(
  _ root: Node, _ look: (Node) -> (label: String, branches: [Node])
) -> String {
  var lines: [String] = []
  var left = [(node: root, depth: 0)]
  while let (node, depth) = left.popLast() {
    let indent = String(repeating: "  ", count: depth)
    guard lines.count < greatestLineCount else {
      lines.append("…")
      break
    }
    guard depth < greatestTreeDepth else {
      lines.append("\(indent)…")
      continue
    }
    let (label, branches) = look(node)
    lines.append(indent + label)
    left += branches.reversed().map { ($0, depth + 1) }
  }
  return lines.joined(separator: "\n")
}

private let greatestLineCount = 1000
private let greatestTreeDepth = 100
