/// Counts objects that have not been released: put its tokens into closures, values and subscribers.
///
///     let lifetimes = LifetimeTracker()
///     let cancellable = subject.sink { [token = lifetimes.token()] _ in _ = token }
///     cancellable.cancel()
///     lifetimes.liveCount  // 0
public final class LifetimeTracker: Sendable {
  private let live = Locked(0)

  /// Makes a tracker without tokens.
  public init() {}

  /// How many of the tokens are alive.
  public var liveCount: Int { live.withLock { $0 } }

  /// Makes a token. When its last reference is released, it calls `onRelease`.
  public func token(onRelease: @escaping () -> Void = {}) -> LifetimeToken {
    live.withLock { $0 += 1 }
    return LifetimeToken { [self] in
      live.withLock { $0 -= 1 }
      onRelease()
    }
  }
}

/// An object that reports its own release.
///
/// A ``LifetimeTracker`` makes tokens and counts those that are alive.
public final class LifetimeToken {
  private let onRelease: () -> Void

  /// Makes a token that calls `onRelease` when its last reference is released.
  public init(onRelease: @escaping () -> Void) { self.onRelease = onRelease }

  deinit { onRelease() }

  /// Does nothing: a way to keep the token in a closure.
  public func keep() {}
}
