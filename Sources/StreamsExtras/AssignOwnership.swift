public import Streams

/// How an object is held by what works on it.
public enum ObjectOwnership: Sendable {
  /// It is kept alive.
  case strong
  /// It is not kept; when it is gone, the work ends.
  case weak
  /// It is not kept, and the program sees to it that it is still there: where it is not, it traps.
  case unowned
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object, which is held as `ownership` says.
  ///
  /// Requests an unlimited number of values at once. With `.strong` it is `assign(to:on:)`. An object that keeps the
  /// cancellable and is assigned to takes `.weak`: then nothing keeps it but its owners. The first value that finds it
  /// gone ends the subscription.
  ///
  ///     final class Page {
  ///       var title = ""
  ///       private var cancellable: AnyCancellable?
  ///
  ///       init(titles: some Publisher<String, Never>) {
  ///         cancellable = titles.assign(to: \.title, on: self, ownership: .weak)
  ///       }
  ///     }
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: ObjectOwnership
  ) -> AnyCancellable {
    switch ownership {
    case .strong:
      assign(to: keyPath, on: object)
    case .weak:
      prefix { [weak object] _ in object != nil }
        .sink { [weak object] in object?[keyPath: keyPath] = $0 }
    case .unowned:
      sink { [unowned object] in object[keyPath: keyPath] = $0 }
    }
  }
}
