public import Streams

/// How a subscription holds the object that it works on.
public enum ObjectOwnership: Sendable {
  /// It keeps the object alive.
  case strong
  /// It does not keep the object, and ends when the object is gone.
  case weak
  /// It does not keep the object. The program must keep it alive: assigning to an object that is gone traps.
  case unowned
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object, which the subscription holds as `ownership` says.
  ///
  /// Requests an unlimited number of values immediately. With `.strong` it is `assign(to:on:)`. Use `.weak` for an object that
  /// stores the cancellable and is assigned to, so that the two do not keep each other alive. The first value that finds the
  /// object gone ends the subscription.
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
