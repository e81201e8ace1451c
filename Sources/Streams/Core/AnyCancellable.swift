import Synchronization

/// Cancels an activity when ``cancel()`` is called, or when the last reference to this object is released.
///
/// `sink` and `assign(to:on:)` return one. Keep it for as long as the stream must run, in a property or with
/// ``store(in:)-(Set<AnyCancellable>)``.
///
///     let cancellable = subject.sink { print($0) }
///     cancellable.cancel()
public final class AnyCancellable: Cancellable, Hashable {
  @frozen
  @usableFromInline
  enum Action {
    case closure(() -> Void)
    /// Stored directly: a closure that calls it would be one more object to allocate and to release.
    case object(any Cancellable & AnyObject)
  }

  @usableFromInline let action: Lock<Action?>

  /// Runs `cancel` once, at the first call of ``cancel()`` or at deinitialization.
  @inlinable
  public init(_ cancel: @escaping () -> Void) {
    action = Lock(.closure(cancel))
  }

  /// Cancels `canceller` once, at the first call of ``cancel()`` or at deinitialization.
  @inlinable
  public init<C: Cancellable>(_ canceller: C) {
    action = Lock(.closure { canceller.cancel() })
  }

  /// Cancels `canceller` once, at the first call of ``cancel()`` or at deinitialization.
  @inlinable
  public init<C: Cancellable & AnyObject>(_ canceller: C) {
    action = Lock(.object(canceller))
  }

  deinit { cancel() }

  /// Cancels the activity. May be called from any thread; the second call does nothing.
  public func cancel() {
    BatchProgress.deliverGatheredIfAny()
    let taken = action.withLock { $0.take() }
    switch taken {
    case .closure(let cancel): cancel()
    case .object(let canceller): canceller.cancel()
    case nil: break
    }
  }

  /// Appends this object to `collection`.
  ///
  /// The activity continues until the collection, or this element of it, is released.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Inserts this object into `set`.
  ///
  /// The activity continues until the set, or this element of it, is released.
  ///
  ///     subject.sink { print($0) }.store(in: &cancellables)
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Whether both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Cancellable {
  /// Type-erases this object and keeps it in `collection`.
  ///
  /// The activity continues until the collection, or this element of it, is released.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Type-erases this object and keeps it in `set`.
  ///
  /// The activity continues until the set, or this element of it, is released.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
