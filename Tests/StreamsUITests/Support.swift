import StreamsUI

extension ViewHost {
  /// The texts that are shown, in their order.
  var texts: [String] { tree.all.filter { $0.kind == "Text" }.map(\.text) }

  /// The views that are evaluated in an update.
  func evaluated(_ change: () throws -> Void = {}) throws -> [String] {
    var views: [String] = []
    onEvaluation = { views.append($0.view) }
    try change()
    try update()
    onEvaluation = nil
    return views
  }
}
