public import Streams

extension Publisher where Failure == Never {
  /// Sets a binding to each value.
  ///
  /// Requests an unlimited number of values at once. What the binding stands on is kept alive until the publisher completes
  /// or the result is cancelled or released. An object that keeps the result, and that the binding stands on, would keep
  /// itself: it takes `assign(to:on:ownership:)` of `StreamsExtras`, weakly.
  ///
  ///     let cancellable = searches.assign(to: $query)
  public func assign(to binding: Binding<Output>) -> AnyCancellable {
    sink { binding.wrappedValue = $0 }
  }
}
