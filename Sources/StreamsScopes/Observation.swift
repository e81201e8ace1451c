import Streams

/// A source that a body has read and that reports its changes itself.
struct Observation {
  /// Kept, so that no other object gets its address.
  let source: AnyObject
  let cancellable: AnyCancellable
  /// The last evaluation of the scope that has read it.
  var evaluation: Int
}

extension Scope {
  /// Whether a body runs on this thread.
  @inline(__always)
  package static var isEvaluating: Bool { evaluated != nil }

  /// Whether its body runs on this thread.
  package var isEvaluated: Bool { Scope.evaluated === self }

  /// Notes that the scope whose body runs on this thread reads `source`, and subscribes to its changes until an evaluation does
  /// not read it. Must be called before the value is read.
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

  /// Cancels the observations that the last evaluation has not read.
  func forgetObservations() {
    let all = observations
    for (key, each) in all where each.evaluation != evaluation { observations[key] = nil }
  }
}
