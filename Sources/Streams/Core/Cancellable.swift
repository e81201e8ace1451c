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
