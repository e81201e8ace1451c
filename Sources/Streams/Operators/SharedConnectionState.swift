/// How many subscribers a connection has, and whether it stands.
struct SharedConnectionState {
  private enum Phase {
    case disconnected
    /// A thread is connecting, for so many subscribers.
    case connecting(thread: UInt32, count: Int)
    case connected(count: Int, any Cancellable)
  }

  private var phase = Phase.disconnected

  /// Adds a subscriber. Returns whether it is to connect: the first, and, as in Combine, one that comes from within
  /// the first one's subscription, which does not count.
  mutating func join(on current: UInt32) -> Bool {
    switch phase {
    case .disconnected:
      phase = .connecting(thread: current, count: 1)
      return true
    case .connecting(let thread, let count):
      if thread != current { phase = .connecting(thread: thread, count: count + 1) }
      return thread == current
    case .connected(let count, let connection):
      phase = .connected(count: count + 1, connection)
      return false
    }
  }

  /// Whether to connect; where all subscribers have left meanwhile, there is no need.
  mutating func isWanted() -> Bool {
    guard case .connecting(_, 0) = phase else { return true }
    phase = .disconnected
    return false
  }

  /// Returns the connection if it is to be cancelled, since all subscribers have left, and what it replaces.
  mutating func connected(
    _ connection: any Cancellable
  ) -> (unwanted: (any Cancellable)?, replaced: (any Cancellable)?) {
    switch phase {
    case .connecting(_, 0):
      phase = .disconnected
      return (connection, nil)
    case .connecting(_, let count):
      phase = .connected(count: count, connection)
      return (nil, nil)
    case .disconnected:
      phase = .connected(count: 1, connection)
      return (nil, nil)
    case .connected(_, let replaced):
      phase = .connected(count: 1, connection)
      return (nil, replaced)
    }
  }

  /// Removes a subscriber. Returns the connection to cancel, if that was the last.
  mutating func leave() -> (any Cancellable)? {
    switch phase {
    case .connected(1, let connection):
      phase = .disconnected
      return connection
    case .connected(let count, let connection): phase = .connected(count: count - 1, connection)
    case .connecting(let thread, let count) where count > 0:
      phase = .connecting(thread: thread, count: count - 1)
    case .connecting, .disconnected: break
    }
    return nil
  }
}
