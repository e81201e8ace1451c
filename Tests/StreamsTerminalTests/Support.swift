import StreamsUI

@testable import StreamsTerminal

extension Block {
  /// What is shown, without blanks at the ends of lines.
  var text: String { rows.text }
}

extension Picture {
  var text: String { rows.text }

  /// What is shown in a style.
  func text(in style: Style) -> String {
    String(rows.joined().filter { $0.style.contains(style) }.compactMap(\.character))
  }
}

extension [[Glyph]] {
  var text: String {
    map { cells in
      let line = String(cells.compactMap(\.character))
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension ViewHost {
  var texts: [String] { tree.all.filter { $0.kind == "Text" }.map(\.text) }
}

/// What a view is laid out as.
@MainActor
func text<V: View>(rows: Int = 24, columns: Int = 80, @ViewBuilder _ view: () -> V) throws -> String {
  try laidOut(view(), rows: rows, columns: columns).text
}

/// A view with keys and without a terminal.
@MainActor
final class Desk {
  let host: ViewHost
  var size: Size { didSet { interaction.show(host.tree, size: size) } }
  private(set) var interaction: Interaction
  private(set) var isOver = false

  init<V: View>(_ view: V, rows: Int = 24, columns: Int = 80) throws {
    host = ViewHost(view)
    size = Size(rows: rows, columns: columns)
    try host.update()
    interaction = Interaction(host.tree, size: size)
    interaction.meet(host)
    try update()
  }

  var picture: Picture { interaction.picture }

  /// What is shown, without the empty lines at the end.
  var text: String {
    var text = picture.text
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  /// What has the focus.
  var marked: String { picture.text(in: .reverse) }

  @discardableResult
  func press(_ keys: Key...) throws -> Desk {
    for key in keys { try take([key]) }
    return self
  }

  /// Presses keys faster than the program looks at them.
  func take(_ keys: [Key]) throws {
    var left = keys[...]
    while !isOver, !left.isEmpty {
      isOver = !interaction.press(&left)
      try update()
    }
  }

  func type(_ text: String) throws { for character in text { try press(.character(character)) } }

  func update() throws {
    interaction.meet(host)
    try host.update()
    interaction.show(host.tree, size: size)
    interaction.meet(host)
    try host.update()
  }
}

/// How a view is laid out.
@MainActor
func laidOut<V: View>(_ view: V, rows: Int = 24, columns: Int = 80) throws -> Block {
  let host = ViewHost(view)
  try host.update()
  return Layout(host.tree).block(in: Size(rows: rows, columns: columns))
}

/// How many cells are written to lay a view out.
@MainActor
func work<V: View>(_ view: V) throws -> Int {
  nonisolated(unsafe) var count = 0
  try Block.$meter.withValue({ count += $0 }) { _ = try laidOut(view) }
  return count
}

func line(_ text: String) -> [Glyph] { [Glyph](text) }
