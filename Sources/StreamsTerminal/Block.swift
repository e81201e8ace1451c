import StreamsUI

/// How large something is, or may be.
struct Size: Equatable {
  var rows: Int
  var columns: Int

  func less(rows: Int, columns: Int) -> Size {
    Size(rows: max(self.rows - rows, 0), columns: max(self.columns - columns, 0))
  }
}

/// Where something can be done.
struct Place {
  let node: ViewHost.Node
  var rows: Range<Int>
  var columns: Range<Int>
  /// How far to the right of its beginning text is typed.
  var caret: Int?

  func moved(down: Int, right: Int) -> Place {
    var place = self
    place.rows = rows.lowerBound + down..<rows.upperBound + down
    place.columns = columns.lowerBound + right..<columns.upperBound + right
    return place
  }
}

/// A rectangle of cells, and what can be done in it.
struct Block {
  private(set) var rows: [[Glyph]] = []
  private(set) var columns = 0
  private(set) var places: [Place] = []

  init(_ rows: [[Glyph]] = []) {
    columns = rows.map(\.count).max() ?? 0
    self.rows = rows.map { $0 + Glyph.blanks(columns - $0.count) }
  }

  /// Room.
  init(_ size: Size) {
    rows = Array(repeating: Glyph.blanks(size.columns), count: max(size.rows, 0))
    columns = max(size.columns, 0)
  }

  /// Puts another on top of this one, which grows where the other is larger.
  mutating func put(_ other: Block, row: Int, column: Int) {
    let size = Size(
      rows: max(rows.count, row + other.rows.count), columns: max(columns, column + other.columns))
    if size.columns > columns { rows = rows.map { $0 + Glyph.blanks(size.columns - columns) } }
    rows += Array(repeating: Glyph.blanks(size.columns), count: size.rows - rows.count)
    columns = size.columns
    for (index, line) in other.rows.enumerated() {
      rows[row + index] = rows[row + index].covered(by: line, at: column)
    }
    places += other.places.map { $0.moved(down: row, right: column) }
  }

  /// As a whole something to act on.
  func acting(_ node: ViewHost.Node, caret: Int? = nil) -> Block {
    var block = self
    if node.isEnabled {
      block.places = [Place(node: node, rows: 0..<rows.count, columns: 0..<columns, caret: caret)]
    } else {
      block.style(.dim, rows: 0..<rows.count, columns: 0..<columns)
    }
    return block
  }

  mutating func style(_ style: Style, rows: Range<Int>, columns: Range<Int>) {
    for row in rows { for column in columns { self.rows[row][column].style.insert(style) } }
  }

  /// Some of its rows, and no column beyond the last.
  func part(_ part: Range<Int>, columns limit: Int) -> Block {
    Block(rows[part.clamped(to: rows.indices)].map { $0.cut(to: limit) })
  }

  /// In a box, of which the inside has this size.
  func boxed(title: String, size: Size) -> Block {
    let line = String(repeating: "─", count: size.columns)
    let sides = Array(repeating: [Glyph]("│") + Glyph.blanks(size.columns) + [Glyph]("│"), count: size.rows)
    var block = Block([[Glyph]("┌" + line + "┐")] + sides + [[Glyph]("└" + line + "┘")])
    block.put(self, row: 1, column: 1)
    if !title.isEmpty {
      block.put(Block([[Glyph](title, style: .bold).truncated(to: size.columns)]), row: 0, column: 1)
    }
    return block
  }
}
