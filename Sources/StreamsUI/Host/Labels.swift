/// What the nodes of a tree are called, without going through all that is in each of them.
struct Labels {
  typealias Node = ViewHost.Node

  /// From the first to the last.
  let nodes: [Node]
  /// Behind the last of what is in each.
  private var ends: [Int]
  private let texts: Places
  private let images: Places

  /// Where the nodes of one kind are.
  private struct Places {
    var all: [Int] = []
    /// How many there are before each node, and before the end.
    var counts = [0]

    init(_ kind: String, in nodes: [Node]) {
      for index in nodes.indices {
        if nodes[index].kind == kind { all.append(index) }
        counts.append(all.count)
      }
    }

    func inside(_ range: Range<Int>) -> ArraySlice<Int> {
      all[counts[range.lowerBound]..<counts[range.upperBound]]
    }
  }

  init(_ tree: Node) {
    nodes = tree.all
    ends = Array(nodes.indices)
    (texts, images) = (Places("Text", in: nodes), Places("Image", in: nodes))
    for index in nodes.indices.reversed() {
      ends[index] = nodes[index].children.reduce(index + 1) { end, _ in ends[end] }
    }
  }

  /// The first node with this label that `condition` holds for.
  func first(_ label: String, where condition: (Node) -> Bool = { _ in true }) -> Node? {
    let length = label.count
    return nodes.indices.first { condition(nodes[$0]) && isCalled($0, label, length: length) }
      .map { nodes[$0] }
  }

  private func isCalled(_ index: Int, _ label: String, length: Int) -> Bool {
    if !nodes[index].text.isEmpty { return nodes[index].text == label }
    let range = index..<ends[index]
    let texts = texts.inside(range)
    var name = ""
    for (count, part) in (texts.isEmpty ? images.inside(range) : texts).enumerated() {
      if count > length { return false }
      name += (count > 0 ? " " : "") + nodes[part].text
      if name.count > length { return false }
    }
    return name == label
  }
}
