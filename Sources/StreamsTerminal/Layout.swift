import StreamsUI

/// A node with the measures that do not depend on the available room, and its layout in that room. One unit of length is a column
/// or a line. Popovers are left out.
struct Layout {
  private let node: ViewHost.Node
  private let parts: [Layout]
  /// The lines of a text, a picture or a field.
  private var lines: [[Glyph]] = []
  /// The width that it needs for everything.
  private var width = 0
  /// Whether it takes all available room.
  private var stretches = (across: false, down: false)

  init(_ node: ViewHost.Node) {
    self.node = node
    parts = node.children.filter { !$0.isAbove }.map(Layout.init)
    if node.kind == "Spacer" {
      stretches = (true, true)
    } else {
      stretches.across = parts.contains { $0.stretches.across && (isRow || $0.node.kind != "Spacer") }
      stretches.down = parts.contains { $0.stretches.down && (!isRow || $0.node.kind != "Spacer") }
    }
    lines = writing
    width = idealWidth
  }

  private var writing: [[Glyph]] {
    switch node.kind {
    case "Text", "Title":
      node.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
        [Glyph]($0, style: node.kind == "Title" ? .bold : [])
      }
    case "Image": [[Glyph](Symbols.text(for: node.text))]
    case "TextField", "SecureField": [[Glyph](node.attributes["value"] ?? "", style: .underline)]
    default: []
    }
  }

  private var idealWidth: Int {
    let row = parts.map(\.width).reduce(spacing * max(parts.count - 1, 0), +)
    let column = parts.filter { !["Spacer", "Divider"].contains($0.node.kind) }.map(\.width).max() ?? 0
    return switch node.kind {
    case "Text", "Title": text(to: .max).map(\.count).max() ?? 0
    case "Image": lines[0].count
    case "TextField", "SecureField": max(lines[0].count + 1, 20)
    case "Slider", "Stepper": row + (row > 0 ? 1 : 0) + gauge.count
    case "Spacer": length("minLength") ?? 0
    case "Divider": 1
    case "HStack", "Label", "Toolbar": row
    case "Button", "Toggle", "Tab", "Option": row + 4
    case "Row": column + signColumns
    case "TabView": max(tabs.map(\.width).reduce(max(tabs.count - 1, 0), +), pages.map(\.width).max() ?? 0)
    case "Padding": column + space(at: "leading") + space(at: "trailing")
    default: column
    }
  }

  private var spacing: Int { length("spacing") ?? (isRow ? 1 : 0) }
  private var isRow: Bool {
    ["HStack", "Label", "Toolbar", "Button", "Toggle", "Tab", "Option", "Slider", "Stepper"].contains(
      node.kind)
  }
  private var isMirrored: Bool { node.isMirrored }

  private func length(_ attribute: String) -> Int? {
    node.attributes[attribute].flatMap { Double($0) }.map { Int(min(max(0, $0), 1000).rounded()) }
  }

  func block(in room: Size) -> Block {
    switch node.kind {
    case "Text", "Title": return Block(text(to: room.columns))
    case "Image": return Block([lines[0].truncated(to: room.columns)])
    case "HStack", "Label", "Toolbar": return row(in: room)
    case "Button", "Tab":
      let label = row(in: room.less(rows: 0, columns: 4))
      var block = Block(row: [Block("[ "), label, Block(" ]")], alignment: "top")
      if isSelected { block.style(.bold, rows: 0..<block.rows.count, columns: 0..<block.columns) }
      return block.acting(node)
    case "Toggle", "Option", "Row":
      let inside = room.less(rows: 0, columns: signColumns)
      let content = node.kind == "Row" ? column(in: inside) : row(in: inside)
      let blocks = signColumns == 0 ? [content] : [Block(sign), content]
      return Block(row: blocks, spacing: 1, alignment: "top", isMirrored: isMirrored).acting(node)
    case "TabView": return tabView(in: room)
    case "TextField", "SecureField": return field(in: room)
    case "Slider", "Stepper":
      let label = row(in: room.less(rows: 0, columns: gauge.count + 1))
      let blocks = label.columns == 0 ? [Block(gauge)] : [label, Block(gauge)]
      return Block(row: blocks, spacing: 1, alignment: "top", isMirrored: isMirrored).acting(node)
    case "Padding": return padding(in: room)
    default: return column(in: room)
    }
  }

  /// What stands before a control, and shows whether it is on or selected.
  private var sign: String {
    switch node.kind {
    case "Toggle": node.attributes["isOn"] == "true" ? "[x]" : "[ ]"
    case "Option": isSelected ? "(•)" : "( )"
    default: node.attributes["isSelected"] == nil ? "" : isSelected ? "•" : " "
    }
  }

  /// The columns of the sign and of the blank after it.
  private var signColumns: Int { sign.isEmpty ? 0 : sign.count + 1 }

  /// What stands after the label of a control whose number is changed.
  private var gauge: String {
    guard node.kind == "Slider" else { return "[- +]" }
    let numbers = ["value", "minimum", "maximum"].map { node.attributes[$0].flatMap { Double($0) } ?? 0 }
    let part = numbers[1] < numbers[2] ? (numbers[0] - numbers[1]) / (numbers[2] - numbers[1]) : 0
    let filled = Int((min(max(part, 0), 1) * 10).rounded())
    return String(repeating: "━", count: filled) + String(repeating: "─", count: 10 - filled)
  }

  private var isSelected: Bool { node.attributes["isSelected"] == "true" }

  private var tabs: [Layout] { parts.filter { $0.node.kind == "Tab" } }
  private var pages: [Layout] { parts.filter { $0.node.kind != "Tab" } }

  /// The tabs side by side, and below them the page of the one that is selected.
  private func tabView(in room: Size) -> Block {
    let bar = Block(row: tabs.map { $0.block(in: room) }, spacing: 1, isMirrored: isMirrored)
    let below = pages.map { $0.block(in: room.less(rows: bar.rows.count, columns: 0)) }
    return Block(column: [bar] + below, isMirrored: isMirrored)
  }

  /// The content with padding at the named sides, or at all if none are named.
  private func padding(in room: Size) -> Block {
    let (top, left) = (space(at: "top"), space(at: isMirrored ? "trailing" : "leading"))
    let (rows, columns) = (top + space(at: "bottom"), space(at: "leading") + space(at: "trailing"))
    let content = column(in: room.less(rows: rows, columns: columns))
    var block = Block(Size(rows: content.rows.count + rows, columns: content.columns + columns))
    block.put(content, row: top, column: left)
    return block
  }

  private func space(at edge: Substring) -> Int {
    let named = node.attributes["edges"]?.split(separator: " ")
    return named?.contains(edge) ?? true ? length("length") ?? 1 : 0
  }

  // MARK: Stacks

  /// Parts one below the other. Parts that stretch get what the others leave.
  private func column(in room: Size) -> Block {
    var left = room.rows - spacing * max(parts.count - 1, 0)
    var blocks = parts.map { part -> Block? in
      if part.stretches.down { return nil }
      let size = Size(rows: max(left, 0), columns: room.columns)
      let block = part.node.kind == "Divider" ? Block([[]]) : part.block(in: size)
      left -= block.rows.count
      return block
    }
    let open = parts.indices.filter { blocks[$0] == nil }
    for (index, rows) in zip(open, shares(of: left, for: open.map { _ in Int.max })) {
      let part = parts[index]
      blocks[index] =
        part.node.kind == "Spacer"
        ? Block(Size(rows: max(rows, part.width), columns: 0))
        : part.block(in: Size(rows: rows, columns: room.columns))
    }
    let columns = blocks.compactMap { $0?.columns }.max() ?? 0
    for index in parts.indices where parts[index].node.kind == "Divider" {
      blocks[index] = Block(String(repeating: "─", count: columns))
    }
    let alignment = node.attributes["alignment"] ?? (node.kind == "VStack" ? "center" : "leading")
    return Block(
      column: blocks.compactMap { $0 }, spacing: spacing, alignment: alignment, isMirrored: isMirrored)
  }

  /// Parts side by side. If there is not room for all, narrow ones get what they need, and the others equal shares. Parts that
  /// stretch get what the others leave.
  private func row(in room: Size) -> Block {
    let free = max(room.columns - spacing * max(parts.count - 1, 0), 0)
    let widths = shares(of: free, for: parts.map(\.width))
    var blocks = zip(parts, widths).map { part, width -> Block? in
      if part.stretches.across { return nil }
      return part.node.kind == "Divider"
        ? Block([[]]) : part.block(in: Size(rows: room.rows, columns: width))
    }
    let dividers = parts.indices.filter { parts[$0].node.kind == "Divider" }
    let left = free - dividers.count - blocks.reduce(0) { $0 + ($1?.columns ?? 0) }
    let open = parts.indices.filter { blocks[$0] == nil }
    for (index, columns) in zip(open, shares(of: left, for: open.map { widths[$0] }, atLeast: true)) {
      let part = parts[index]
      let size = Size(rows: room.rows, columns: columns)
      blocks[index] =
        part.node.kind == "Spacer" ? Block(Size(rows: 0, columns: columns)) : part.block(in: size)
    }
    let rows = blocks.compactMap { $0?.rows.count }.max() ?? 0
    for index in dividers { blocks[index] = Block(Array(repeating: [Glyph]("│"), count: rows)) }
    let alignment = node.attributes["alignment"] ?? "center"
    return Block(
      row: blocks.compactMap { $0 }, spacing: spacing, alignment: alignment, isMirrored: isMirrored)
  }

  /// Gives each what it wishes, the smallest first, but at most an equal part of the rest; or the largest first, and at least an
  /// equal part.
  private func shares(of room: Int, for wishes: [Int], atLeast: Bool = false) -> [Int] {
    var (left, shares) = (max(room, 0), wishes)
    let order = wishes.indices.sorted {
      wishes[$0] == wishes[$1] ? $0 < $1 : (wishes[$0] < wishes[$1]) != atLeast
    }
    for (position, index) in order.enumerated() {
      let part = left / (order.count - position)
      shares[index] = atLeast ? max(wishes[index], part) : min(wishes[index], part)
      left = max(left - shares[index], 0)
    }
    return shares
  }

  // MARK: Leaves

  private func text(to columns: Int) -> [[Glyph]] {
    let lines = lines.flatMap { wrapped($0, to: columns) }
    let limit = max(node.attributes["lineLimit"].flatMap { Int($0) } ?? lines.count, 1)
    if lines.count <= limit { return lines }
    let last = lines[(limit - 1)...].joined(separator: [.blank])
    return lines.prefix(limit - 1) + [[Glyph](last).truncated(to: columns)]
  }

  /// Breaks a text into lines of whole words; a word that is longer than a line continues on the next.
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
      // A wide character that does not fit on a line by itself is left out.
      rest = end > rest.startIndex ? rest[end...] : rest.dropFirst().drop { $0.character == nil }
    }
    return lines + [Array(rest)]
  }

  /// The end of the text, or the title while there is none.
  private func field(in room: Size) -> Block {
    let value = lines[0]
    let columns = min(width, room.columns)
    let hidden = max(value.count - columns + 1, 0)
    var shown = Array(value.dropFirst(hidden).drop { $0.character == nil })
    let caret = shown.count
    if value.isEmpty {
      shown = [Glyph](node.attributes["prompt"] ?? node.label, style: [.underline, .dim]).truncated(
        to: columns)
    }
    let rest = Array(
      repeating: Glyph(character: " ", style: .underline), count: max(columns - shown.count, 0))
    return Block([(shown + rest).cut(to: columns)]).acting(node, caret: caret)
  }
}

extension ViewHost.Node {
  /// Whether the layout is from right to left.
  var isMirrored: Bool { attributes["layoutDirection"] == "rightToLeft" }
}
