import Synchronization

/// Cancels an activity when told to, or when the last reference to it goes away.
///
///     let ticket = subject.sink { print($0) }
public final class AnyCancellable: Cancellable, Hashable {
  private let action: Lock<(() -> Void)?>

  /// Runs `cancel` once, at the first call of ``cancel()`` or at deinitialisation.
  public init(_ cancel: @escaping () -> Void) {
    action = Lock(cancel)
  }

  /// Cancels `canceller`.
  public init<C: Cancellable>(_ canceller: C) {
    action = Lock(canceller.cancel)
  }

  deinit { cancel() }

  /// Cancels the activity. May be called from any thread; the second call does nothing.
  public func cancel() {
    let taken = action.withLock { action in
      defer { action = nil }
      return action
    }
    taken?()
  }

  /// Appends this object to `collection`.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Inserts this object into `set`.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
