import StreamsUI

/// Lays nodes out. One column or line is one unit of length. Popovers are left out.
struct Layout {
  typealias Node = ViewHost.Node

  enum Axis { case horizontal, vertical }

  func block(of node: Node, in room: Size) -> Block {
    switch node.kind {
    case "Text": return text(node, in: room)
    case "Image": return Block([[Glyph](Symbols.text(for: node.text)).truncated(to: room.columns)])
    case "HStack", "Label":
      return row(node.children, in: room, spacing: node.length("spacing") ?? 1, node.attributes)
    case "Button": return button(node, in: room)
    case "Toggle": return toggle(node, in: room)
    case "TextField": return field(node, in: room)
    case "Padding": return padding(node, in: room)
    case "VStack":
      let spacing = node.length("spacing") ?? 0
      let alignment = node.attributes["alignment"] ?? "center"
      return column(node.children, in: room, spacing: spacing, alignment: alignment)
    default: return column(node.children, in: room)
    }
  }

  /// With room at the sides that are named, and at all if none are.
  private func padding(_ node: Node, in room: Size) -> Block {
    let length = node.length("length") ?? 1
    let named = node.attributes["edges"]?.split(separator: " ")
    func space(at edge: Substring) -> Int { named?.contains(edge) ?? true ? length : 0 }
    let (top, leading) = (space(at: "top"), space(at: "leading"))
    let (rows, columns) = (top + space(at: "bottom"), leading + space(at: "trailing"))
    let content = column(node.children, in: room.less(rows: rows, columns: columns))
    var block = Block(Size(rows: content.rows.count + rows, columns: content.columns + columns))
    block.put(content, row: top, column: leading)
    return block
  }

  // MARK: Stacks

  /// One below the other. What stretches gets what the others leave.
  private func column(
    _ nodes: [Node], in room: Size, spacing: Int = 0, alignment: String = "leading"
  ) -> Block {
    let nodes = nodes.filter { $0.kind != "Popover" }
    var left = room.rows - spacing * max(nodes.count - 1, 0)
    var blocks: [Int: Block] = [:]
    for (index, node) in nodes.enumerated() where !node.stretches(.vertical) {
      let block =
        node.kind == "Divider"
        ? Block([[]]) : self.block(of: node, in: Size(rows: max(left, 0), columns: room.columns))
      blocks[index] = block
      left -= block.rows.count
    }
    let open = nodes.indices.filter { blocks[$0] == nil }
    for (index, rows) in zip(open, shares(of: left, for: open.map { _ in Int.max })) {
      let size = Size(rows: rows, columns: room.columns)
      blocks[index] =
        nodes[index].kind == "Spacer"
        ? Block(Size(rows: max(rows, nodes[index].least), columns: 0))
        : block(of: nodes[index], in: size)
    }
    let columns = blocks.values.map(\.columns).max() ?? 0
    var (result, row) = (Block(Size(rows: 0, columns: columns)), 0)
    for index in nodes.indices {
      var block = blocks[index]!
      if nodes[index].kind == "Divider" { block = Block([[Glyph](String(repeating: "─", count: columns))]) }
      result.put(block, row: row, column: offset(of: block.columns, in: columns, alignment))
      row += block.rows.count + spacing
    }
    return result
  }

  /// Side by side. If there is not room for all, the narrow ones get what they need, and the others equal shares.
  private func row(
    _ nodes: [Node], in room: Size, spacing: Int, _ attributes: [String: String] = [:]
  ) -> Block {
    let nodes = nodes.filter { $0.kind != "Popover" }
    let free = max(room.columns - spacing * max(nodes.count - 1, 0), 0)
    let wished = nodes.map { node -> Block? in
      node.kind == "Divider" || node.stretches(.horizontal) ? nil : block(of: node, in: room)
    }
    let wishes = zip(nodes, wished).map { $1?.columns ?? ($0.kind == "Divider" ? 1 : $0.least) }
    var widths = shares(of: free, for: wishes)
    let open = nodes.indices.filter { nodes[$0].stretches(.horizontal) }
    let rest = shares(of: free - widths.reduce(0, +), for: open.map { _ in Int.max })
    for (index, more) in zip(open, rest) { widths[index] += more }
    let blocks = nodes.indices.map { index in
      if let block = wished[index], block.columns == widths[index] { return block }
      let isLeft = ["Spacer", "Divider"].contains(nodes[index].kind)
      let size = Size(rows: isLeft ? 0 : room.rows, columns: widths[index])
      return isLeft ? Block(size) : block(of: nodes[index], in: size)
    }
    let rows = blocks.map(\.rows.count).max() ?? 0
    var (result, column) = (Block(Size(rows: rows, columns: 0)), 0)
    for (node, var block) in zip(nodes, blocks) {
      if node.kind == "Divider" { block = Block(Array(repeating: [Glyph]("│"), count: rows)) }
      result.put(
        block, row: offset(of: block.rows.count, in: rows, attributes["alignment"] ?? "center"),
        column: column)
      column += block.columns + spacing
    }
    return result
  }

  private func offset(of length: Int, in room: Int, _ alignment: String) -> Int {
    switch alignment {
    case "leading", "top": 0
    case "trailing", "bottom": room - length
    default: (room - length) / 2
    }
  }

  /// Gives each what it wishes, the least first, and nobody more than an equal part of what is left.
  private func shares(of room: Int, for wishes: [Int]) -> [Int] {
    var (left, shares) = (max(room, 0), Array(repeating: 0, count: wishes.count))
    let order = wishes.indices.sorted { (wishes[$0], $0) < (wishes[$1], $1) }
    for (position, index) in order.enumerated() {
      shares[index] = min(wishes[index], left / (order.count - position))
      left -= shares[index]
    }
    return shares
  }

  // MARK: Leaves

  private func text(_ node: Node, in room: Size) -> Block {
    let lines = node.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { wrapped([Glyph]($0), to: room.columns) }
    let limit = max(node.attributes["lineLimit"].flatMap { Int($0) } ?? lines.count, 1)
    if lines.count <= limit { return Block(lines) }
    let last = lines[(limit - 1)...].joined(separator: [.blank])
    return Block(lines.prefix(limit - 1) + [[Glyph](last).truncated(to: room.columns)])
  }

  /// Lines of whole words; a word that is longer than a line goes over several.
  private func wrapped(_ cells: [Glyph], to columns: Int) -> [[Glyph]] {
    guard columns > 0 else { return [[]] }
    var (lines, rest) = ([[Glyph]](), cells[...])
    while rest.count > columns {
      if let gap = rest.prefix(columns + 1).lastIndex(of: .blank), gap > rest.startIndex {
        lines.append(Array(rest[..<gap]))
        rest = rest[gap...].drop { $0 == .blank }
        continue
      }
      var end = rest.startIndex + columns
      while end > rest.startIndex, rest[end].character == nil { end -= 1 }
      lines.append(Array(rest[..<end]))
      // A wide character that even a line of its own has no room for is left out.
      rest = end > rest.startIndex ? rest[end...] : rest.dropFirst().drop { $0.character == nil }
    }
    return lines + [Array(rest)]
  }

  private func button(_ node: Node, in room: Size) -> Block {
    let label = row(node.children, in: room.less(rows: 0, columns: 4), spacing: 1)
    var block = Block([[Glyph]("[ ")])
    block.put(label, row: 0, column: 2)
    block.put(Block([[Glyph](" ]")]), row: 0, column: 2 + label.columns)
    return block.acting(node)
  }

  private func toggle(_ node: Node, in room: Size) -> Block {
    var block = Block([[Glyph](node.attributes["isOn"] == "true" ? "[x] " : "[ ] ")])
    block.put(row(node.children, in: room.less(rows: 0, columns: 4), spacing: 1), row: 0, column: 4)
    return block.acting(node)
  }

  /// The end of the text, or the title as long as there is none.
  private func field(_ node: Node, in room: Size) -> Block {
    let value = [Glyph](node.attributes["value"] ?? "", style: .underline)
    let columns = min(max(value.count + 1, 20), room.columns)
    let hidden = max(value.count - columns + 1, 0)
    var shown = Array(value.dropFirst(hidden).drop { $0.character == nil })
    let caret = shown.count
    if value.isEmpty { shown = [Glyph](node.label, style: [.underline, .dim]).truncated(to: columns) }
    let rest = Array(
      repeating: Glyph(character: " ", style: .underline), count: max(columns - shown.count, 0))
    return Block([(shown + rest).cut(to: columns)]).acting(node, caret: caret)
  }
}

extension ViewHost.Node {
  /// Whether it takes what room there is.
  fileprivate func stretches(_ axis: Layout.Axis) -> Bool {
    switch kind {
    case "Spacer": return true
    case "Popover": return false
    case "TextField": return false
    case "HStack", "Label", "Button", "Toggle":
      return children.contains { (axis == .horizontal || $0.kind != "Spacer") && $0.stretches(axis) }
    default:
      return children.contains { (axis == .vertical || $0.kind != "Spacer") && $0.stretches(axis) }
    }
  }

  /// How long a spacer is at least.
  fileprivate var least: Int { length("minLength") ?? 0 }

  func length(_ attribute: String) -> Int? {
    attributes[attribute].flatMap { Double($0) }.map { Int(min(max(0, $0), 1000).rounded()) }
  }
}
