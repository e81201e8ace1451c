/// An activity that can be cancelled.
///
/// Subscriptions are cancellable, and so are the results of `sink`, `assign` and `connect()`.
/// ``AnyCancellable`` wraps a closure or another cancellable, and cancels when it is released.
public protocol Cancellable {
  /// Stops the activity and frees what it holds. Calling it again does nothing.
  ///
  /// It may be called from any thread, also from within a delivery. A value that another thread is delivering
  /// at that moment may still arrive.
  func cancel()
}
