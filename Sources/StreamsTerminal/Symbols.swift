/// The characters that terminals have for pictures.
enum Symbols {
  /// The character, or the name if there is none.
  static func text(for name: String) -> String {
    let plain = name.split(separator: ".").filter { !["circle", "square", "fill"].contains($0) }
    return known[plain.joined(separator: ".")] ?? name
  }

  private static let known = [
    "play": "▶", "pause": "‖", "stop": "■", "checkmark": "✓", "xmark": "✗", "plus": "+", "minus": "-",
    "star": "★", "heart": "♥", "arrow.left": "←", "arrow.right": "→", "arrow.up": "↑", "arrow.down": "↓",
    "chevron.left": "‹", "chevron.right": "›", "info": "i", "gear": "⚙", "music.note": "♪",
  ]
}
