import Streams
import StreamsProperty
import StreamsScopes

/// An object that a scope's body may read through a handle. The body runs again when it changes.
protocol Watchable: AnyObject {
  /// Calls `changed` after each change.
  func watch(_ changed: @escaping () -> Void) -> AnyCancellable
}

extension Watchable {
  /// Must be called before the value is read.
  @inline(__always)
  func noteReading() {
    if Scope.isEvaluating { Scope.observe(self, watch) }
  }
}

extension PropertyObject: Watchable {
  func watch(_ changed: @escaping () -> Void) -> AnyCancellable { property.watch(changed) }
}

extension BindingObject: Watchable {
  func watch(_ changed: @escaping () -> Void) -> AnyCancellable { Property(binding).watch(changed) }
}

extension PublishedValue: Watchable {
  func watch(_ changed: @escaping () -> Void) -> AnyCancellable { subject.didChange.sink { changed() } }
}

extension SubjectObject: Watchable {
  /// A completion leaves the value as it is.
  func watch(_ changed: @escaping () -> Void) -> AnyCancellable {
    publisher.publisher.dropFirst().sink(receiveCompletion: { _ in }, receiveValue: { _ in changed() })
  }
}

extension Property<Outcome> {
  fileprivate func watch(_ changed: @escaping () -> Void) -> AnyCancellable {
    subsequentValues.sink { _ in changed() }
  }
}
