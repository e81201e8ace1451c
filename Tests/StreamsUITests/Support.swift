import StreamsUI

extension ViewHost {
  /// The texts that are shown, in their order.
  var texts: [String] { labels("Text") }

  /// The labels of the nodes of a kind, in their order.
  func labels(_ kind: String) -> [String] { tree.all.filter { $0.kind == kind }.map(\.label) }

  /// What a control with a label shows as its value.
  func value(_ label: String) -> String? {
    first { $0.attributes["value"] != nil && $0.label == label }?.attributes["value"]
  }

  /// The views that are evaluated in an update.
  func evaluated(_ change: () throws -> Void = {}) throws -> [String] {
    var views: [String] = []
    onEvaluation = { views.append($0.view) }
    try change()
    try update()
    onEvaluation = nil
    return views
  }

  /// Acts as a user, and updates.
  func act(_ action: () throws -> Void) throws {
    try action()
    try update()
  }

  /// Taps buttons, and updates after each.
  func tapEach(_ labels: String...) throws {
    for label in labels { try act { try tap(label) } }
  }

  /// Updates, and lets tasks run, until a condition holds.
  func update(until condition: () -> Bool) async throws {
    try await runTasks {
      try update()
      return condition()
    }
  }
}

/// Lets tasks run until a condition holds.
@MainActor func runTasks(until condition: () throws -> Bool) async throws {
  while try !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
