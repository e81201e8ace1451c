/// An activity that can be cancelled.
///
/// A subscription is one, and so is what `sink`, `assign` and `connect()` return. ``AnyCancellable`` makes
/// one of a closure, and cancels by itself when it goes away.
public protocol Cancellable {
  /// Stops the activity and frees what it holds. Calling it again does nothing.
  ///
  /// It may be called from any thread, also from within a delivery. A value that another thread is delivering
  /// at that moment may still arrive.
  func cancel()
}

extension Cancellable {
  /// Type-erases this object and keeps it in `collection`.
  ///
  /// The activity goes on until the collection, or this element of it, goes away.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Type-erases this object and keeps it in `set`.
  ///
  /// The activity goes on until the set, or this element of it, goes away.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
