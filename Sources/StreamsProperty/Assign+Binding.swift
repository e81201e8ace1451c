public import Streams

extension Publisher where Failure == Never {
  /// Sets a binding to each value.
  ///
  /// Requests an unlimited number of values immediately. The result keeps alive the object that the binding refers to, until the
  /// publisher completes or the result is cancelled or released. If that object stores the result, the two keep each other alive:
  /// use `assign(to:on:ownership:)` of `StreamsExtras` with `.weak` instead.
  ///
  ///     let cancellable = searches.assign(to: $query)
  public func assign(to binding: Binding<Output>) -> AnyCancellable {
    sink { binding.wrappedValue = $0 }
  }
}
