import Streams

/// Something that a body has read and that tells of its changes by itself.
struct Observation {
  /// Kept, so that no other takes its place in memory.
  let source: AnyObject
  let cancellable: AnyCancellable
  /// Which of the scope's evaluations has read it last.
  var evaluation: Int
}

extension Scope {
  /// Whether a body runs on this thread.
  @inline(__always)
  package static var isEvaluating: Bool { evaluated != nil }

  /// Whether its body runs on this thread.
  package var isEvaluated: Bool { Scope.evaluated === self }

  /// Notes that the scope whose body runs on this thread reads `source`, and subscribes to its changes for as long as each
  /// evaluation does. To be called before the value is looked at.
  package static func observe(
    _ source: AnyObject, _ subscribe: (_ changed: @escaping () -> Void) -> AnyCancellable
  ) {
    guard let scope = evaluated else { return }
    let key = ObjectIdentifier(source)
    if scope.observations[key] != nil {
      scope.observations[key]?.evaluation = scope.evaluation
      return
    }
    let cancellable = reading(as: nil) { subscribe { [weak scope] in scope?.invalidate() } }
    scope.observations[key] = Observation(
      source: source, cancellable: cancellable, evaluation: scope.evaluation)
  }

  /// Cancels what the evaluation that is over has not read.
  func forgetObservations() {
    let all = observations
    for (key, each) in all where each.evaluation != evaluation { observations[key] = nil }
  }
}
