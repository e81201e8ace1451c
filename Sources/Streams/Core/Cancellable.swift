/// An activity that can be cancelled.
public protocol Cancellable {
  /// Stops the activity and frees what it holds. Calling it again does nothing.
  func cancel()
}

extension Cancellable {
  /// Type-erases this object and keeps it in `collection`.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Type-erases this object and keeps it in `set`.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
