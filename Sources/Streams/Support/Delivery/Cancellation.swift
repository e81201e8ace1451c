import StreamsShims

/// The cancellation of a stream that has several upstreams.
///
/// Upstreams may be parts of one publisher, such as the groups of a `groupBy`: what one leaves when it is cancelled makes room
/// for the others. But they are about to be cancelled, too. If that publisher were asked for values meanwhile, they would be lost,
/// and one without an end would never stop.
package enum Cancellation {
  /// What to do when everything is cancelled.
  private typealias Later = [() -> Void]

  /// Cancels several upstreams.
  package static func ofSeveral(_ cancel: () -> Void) {
    guard streams_cancellation() == nil else { return cancel() }
    var later: Later = []
    withUnsafeMutablePointer(to: &later) { later in
      streams_set_cancellation(later)
      cancel()
      streams_set_cancellation(nil)
    }
    for action in later { action() }
  }

  /// Whether this thread cancels several upstreams.
  package static var isUnderWay: Bool { streams_cancellation() != nil }

  /// Does something now or, while this thread cancels several upstreams, when all of them are cancelled.
  package static func afterwards(_ action: @escaping () -> Void) {
    guard let later = streams_cancellation() else { return action() }
    later.assumingMemoryBound(to: Later.self).pointee.append(action)
  }
}
