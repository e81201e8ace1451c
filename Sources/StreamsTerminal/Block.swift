import StreamsUI

/// The size of something, or its limits.
struct Size: Equatable {
  var rows: Int
  var columns: Int

  func less(rows: Int, columns: Int) -> Size {
    Size(rows: max(self.rows - rows, 0), columns: max(self.columns - columns, 0))
  }
}

/// The area of a control.
struct Place {
  let node: ViewHost.Node
  var rows: Range<Int>
  var columns: Range<Int>
  /// The column, from its beginning, at which text is typed.
  var caret: Int?

  /// Whether the two lists have no control in common.
  static func areOthers(_ these: [Place], _ those: [Place]) -> Bool {
    Set(these.map(\.node.key)).isDisjoint(with: those.map(\.node.key))
  }

  func moved(down: Int, right: Int) -> Place {
    var place = self
    place.rows = rows.lowerBound + down..<rows.upperBound + down
    place.columns = columns.lowerBound + right..<columns.upperBound + right
    return place
  }

  func distance(to other: Place) -> (rows: Int, columns: Int) {
    (
      abs(rows.lowerBound - other.rows.lowerBound), abs(columns.lowerBound - other.columns.lowerBound)
    )
  }
}

/// A rectangle of cells, and the controls in it.
struct Block {
  private(set) var rows: [[Glyph]] = []
  let columns: Int
  private(set) var places: [Place] = []

  /// Called with the number of cells that are written, to measure the work.
  @TaskLocal static var meter: (@Sendable (Int) -> Void)?

  init(_ rows: [[Glyph]]) {
    columns = rows.map(\.count).max() ?? 0
    for row in rows { self.rows.append(row + Glyph.blanks(columns - row.count)) }
    Self.meter?(columns * rows.count)
  }

  /// A block of one line.
  init(_ text: String) { self.init([[Glyph](text)]) }

  /// A blank block.
  init(_ size: Size) {
    columns = max(size.columns, 0)
    rows = Array(repeating: Glyph.blanks(columns), count: max(size.rows, 0))
    Self.meter?(columns * rows.count)
  }

  /// Blocks side by side.
  init(row blocks: [Block], spacing: Int = 0, alignment: String = "center", isMirrored: Bool = false) {
    let rows = blocks.map(\.rows.count).max() ?? 0
    self.init(Size(rows: rows, columns: Self.length(blocks.map(\.columns), spacing)))
    var column = 0
    for block in blocks {
      let row = Self.offset(of: block.rows.count, in: rows, alignment)
      put(block, row: row, column: isMirrored ? columns - column - block.columns : column)
      column += block.columns + spacing
    }
  }

  /// Blocks one below the other.
  init(column blocks: [Block], spacing: Int = 0, alignment: String = "leading", isMirrored: Bool = false) {
    self.init(
      Size(
        rows: Self.length(blocks.map(\.rows.count), spacing), columns: blocks.map(\.columns).max() ?? 0))
    var row = 0
    for block in blocks {
      let column = Self.offset(of: block.columns, in: columns, alignment)
      put(block, row: row, column: isMirrored ? columns - column - block.columns : column)
      row += block.rows.count + spacing
    }
  }

  private static func length(_ lengths: [Int], _ spacing: Int) -> Int {
    lengths.reduce(spacing * max(lengths.count - 1, 0), +)
  }

  private static func offset(of length: Int, in room: Int, _ alignment: String) -> Int {
    switch alignment {
    case "leading", "top": 0
    case "trailing", "bottom": room - length
    default: (room - length) / 2
    }
  }

  /// Puts another block on top of this one, as far as it fits.
  mutating func put(_ other: Block, row: Int, column: Int) {
    for (index, line) in other.rows.enumerated() where rows.indices.contains(row + index) {
      rows[row + index].cover(with: line.cut(to: columns - column), at: column)
    }
    places += other.places.map { $0.moved(down: row, right: column) }
    Self.meter?(other.columns * other.rows.count)
  }

  /// The block as one control. Only those in a row of a list can be used too.
  func acting(_ node: ViewHost.Node, caret: Int? = nil) -> Block {
    var block = self
    if node.isEnabled {
      let place = Place(node: node, rows: 0..<rows.count, columns: 0..<columns, caret: caret)
      block.places = [place] + (node.kind == "Row" ? places : [])
    } else {
      block.style(.dim, rows: 0..<rows.count, columns: 0..<columns)
    }
    return block
  }

  mutating func style(_ style: Style, rows: Range<Int>, columns: Range<Int>) {
    for row in rows { for column in columns { self.rows[row][column].style.insert(style) } }
  }

  /// Some of its rows, cut to a number of columns.
  func part(_ part: Range<Int>, columns limit: Int) -> Block {
    Block(rows[part.clamped(to: rows.indices)].map { $0.cut(to: limit) })
  }

  /// The block in a box with an inside of this size.
  func boxed(title: String, size: Size) -> Block {
    let line = String(repeating: "─", count: size.columns)
    let sides = Array(repeating: [Glyph]("│") + Glyph.blanks(size.columns) + [Glyph]("│"), count: size.rows)
    var block = Block([[Glyph]("┌" + line + "┐")] + sides + [[Glyph]("└" + line + "┘")])
    block.put(self, row: 1, column: 1)
    block.put(Block([[Glyph](title, style: .bold).truncated(to: size.columns)]), row: 0, column: 1)
    return block
  }
}
