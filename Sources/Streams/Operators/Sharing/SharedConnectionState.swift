/// How many subscribers a connection has, and whether it is connected.
struct SharedConnectionState {
  private enum Phase {
    case disconnected
    /// A thread is connecting, for `count` subscribers. `begun` is the connection, if the publisher has passed it out
    /// early.
    case connecting(thread: UInt32, count: Int, begun: (any Cancellable)? = nil)
    case connected(count: Int, any Cancellable)
  }

  private var phase = Phase.disconnected
  /// What the connection passes values through, if that is known.
  private var link: UpstreamLink?
  /// The number of the latest attempt to connect. Earlier ones are no longer wanted.
  private var attempt = 0

  /// Adds a subscriber. Returns the number of the attempt if it must connect: the first, and, if `connectsWithin` is true,
  /// one that comes from within the first one's subscription, as in Combine. If all have left in the meantime, it is a first
  /// one again: the connection being made may lead to this very subscriber, and would never be cancelled.
  mutating func join(on current: UInt32, connectsWithin: Bool) -> Int? {
    switch phase {
    case .disconnected, .connecting(_, 0, _):
      phase = .connecting(thread: current, count: 1)
      attempt += 1
      return attempt
    case .connecting(let thread, let count, let begun):
      phase = .connecting(thread: thread, count: count + 1, begun: begun)
      return connectsWithin && thread == current ? attempt : nil
    case .connected(let count, let connection):
      phase = .connected(count: count + 1, connection)
      return nil
    }
  }

  /// Whether to connect: not if all subscribers have left in the meantime.
  mutating func isWanted(_ attempt: Int) -> Bool {
    guard attempt == self.attempt else { return false }
    switch phase {
    case .disconnected, .connecting(_, 0, _):
      phase = .disconnected
      return false
    case .connecting, .connected: return true
    }
  }

  /// Notes that a connection begins. Returns it if it is no longer wanted.
  mutating func begin(
    _ connection: any Cancellable, _ link: UpstreamLink?, in attempt: Int
  ) -> (any Cancellable)? {
    guard attempt == self.attempt, case .connecting(let thread, let count, _) = phase else { return nil }
    self.link = link
    phase = .connecting(thread: thread, count: count, begun: connection)
    return count == 0 ? connection : nil
  }

  /// Returns the connection if it must be cancelled, since all subscribers have left, and the one that it replaces: then the
  /// count begins again with 1, as in Combine.
  mutating func connected(
    _ connection: any Cancellable, in attempt: Int
  ) -> (unwanted: (any Cancellable)?, replaced: (any Cancellable)?) {
    guard attempt == self.attempt else { return (connection, nil) }
    switch phase {
    case .disconnected, .connecting(_, 0, _):
      phase = .disconnected
      return (connection, nil)
    case .connecting(_, let count, _):
      phase = .connected(count: count, connection)
      return (nil, nil)
    case .connected(_, let replaced):
      phase = .connected(count: 1, connection)
      return (nil, replaced)
    }
  }

  /// Removes a subscriber. Returns the connection to cancel, if that was the last, and the subscription behind it: nothing
  /// comes through it any more, so that the next subscriber, which connects anew, gets nothing of the old connection.
  mutating func leave() -> (connection: (any Cancellable)?, subscription: (any Subscription)?) {
    switch phase {
    case .connected(1, let connection):
      phase = .disconnected
      return (connection, link.take()?.close())
    case .connected(let count, let connection): phase = .connected(count: count - 1, connection)
    case .connecting(let thread, let count, let begun) where count > 0:
      phase = .connecting(thread: thread, count: count - 1, begun: begun)
      // The upstream may send without end while it is being connected.
      if count == 1 { return (begun, begun == nil ? nil : link.take()?.close()) }
    case .connecting, .disconnected: break
    }
    return (nil, nil)
  }
}
