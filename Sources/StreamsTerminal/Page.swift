import StreamsUI

/// What a terminal shows.
struct Picture: Equatable {
  struct Caret: Equatable {
    let row: Int
    let column: Int
  }

  var rows: [[Glyph]]
  /// Where text is typed.
  var caret: Caret?
  /// The color scheme that the window requests.
  var scheme: String?
}

/// A tree laid out for a size: the windows, and on top of them the popovers, of which the last one takes the keys.
struct Page {
  struct Layer {
    let node: ViewHost.Node
    let block: Block
    /// The part of the screen that shows the block.
    let rows: Range<Int>
    let columns: Range<Int>
  }

  let size: Size
  private(set) var layers: [Layer] = []

  var top: Layer { layers[layers.count - 1] }

  init(_ tree: ViewHost.Node, size: Size) {
    self.size = size
    var blocks: [Block] = []
    var room = size
    for window in tree.windows {
      var parts = [Layout(window).block(in: room.less(rows: window.title == nil ? 0 : 1, columns: 0))]
      if let title = window.title {
        parts.insert(Block([[Glyph](title, style: .bold).truncated(to: size.columns)]), at: 0)
      }
      if window.isMirrored { parts.append(Block(Size(rows: 0, columns: size.columns))) }
      blocks.append(Block(column: parts, isMirrored: window.isMirrored))
      room = room.less(rows: blocks[blocks.count - 1].rows.count, columns: 0)
    }
    let all = Block(column: blocks)
    layers = [Layer(node: tree, block: all, rows: 0..<size.rows, columns: 0..<size.columns)]
    layers += tree.all.filter(\.isAbove).map(popover)
  }

  private func popover(_ node: ViewHost.Node) -> Layer {
    let room = size.less(rows: 2, columns: 2)
    let block = Layout(node).block(in: room)
    let inside = Size(rows: min(block.rows.count, room.rows), columns: min(block.columns, room.columns))
    let row = (room.rows - inside.rows) / 2 + 1
    let column = (room.columns - inside.columns) / 2 + 1
    return Layer(
      node: node, block: block, rows: row..<row + inside.rows, columns: column..<column + inside.columns)
  }

  /// The picture with each layer scrolled, and one control of the topmost layer marked.
  func picture(focus: Int?, offsets: [Int]) -> Picture {
    var canvas = Block(size)
    var caret: Picture.Caret?
    for (index, layer) in layers.enumerated() {
      var block = layer.block
      let (row, column, offset) = (layer.rows.lowerBound, layer.columns.lowerBound, offsets[index])
      if index == layers.count - 1, let place = focus.map({ block.places[$0] }) {
        let seen = place.moved(down: row - offset, right: column)
        caret = seen.caret.map { .init(row: seen.rows.lowerBound, column: seen.columns.lowerBound + $0) }
        if caret == nil { block.style(.reverse, rows: place.rows, columns: place.columns) }
      }
      var part = block.part(offset..<offset + layer.rows.count, columns: layer.columns.count)
      if index > 0 {
        let inside = Size(rows: layer.rows.count, columns: layer.columns.count)
        part = part.boxed(title: layer.node.title ?? "", size: inside)
      }
      let edge = index > 0 ? 1 : 0
      canvas.put(part, row: row - edge, column: column - edge)
    }
    if let at = caret, !(0..<size.rows).contains(at.row) || at.column >= size.columns { caret = nil }
    let schemes = layers[0].node.windows.lazy.compactMap { $0.attributes["colorScheme"] }
    return Picture(rows: canvas.rows, caret: caret, scheme: schemes.first)
  }
}

extension ViewHost.Node {
  fileprivate var title: String? { attributes["title"] }
  fileprivate var windows: [ViewHost.Node] { kind == "App" ? children : [self] }
}
