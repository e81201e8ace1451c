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
    for key in keys {
      isOver = isOver || !interaction.press(key)
      try update()
    }
    return self
  }

  func type(_ text: String) throws { for character in text { try press(.character(character)) } }

  func update() throws {
    try host.update()
    interaction.show(host.tree, size: size)
  }
}

/// How a view is laid out.
@MainActor
func laidOut<V: View>(_ view: V, rows: Int = 24, columns: Int = 80) throws -> Block {
  let host = ViewHost(view)
  try host.update()
  return Layout().block(of: host.tree, in: Size(rows: rows, columns: columns))
}

func line(_ text: String) -> [Glyph] { [Glyph](text) }
