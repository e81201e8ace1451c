import CStreams
import Glibc
import Streams

/// The observable object behind a handle: published values, found by their names.
final class PublishedObject {
  /// Notified before any of the values changes.
  let objectWillChange = ObservableObjectPublisher()
  /// In the order of their names.
  private let published = Lock<[PublishedValue]>([])
  private let signals = Lazily<ChangeSignals>()
  private let end = Lazily<PassthroughSubject<Value, StreamError>>()

  deinit { end.existing?.send(.null) }

  /// The signals of `objectWillChange`; each subscriber gets as many as it has demand for.
  var changes: PassthroughSubject<Value, StreamError> {
    signals.made { ChangeSignals(of: objectWillChange) }.subject
  }

  /// Publishes a value when the object is released.
  var ended: ValuePublisher {
    end.made { PassthroughSubject() }.eraseToAnyPublisher()
  }

  func value(named name: UnsafePointer<CChar>) -> PublishedValue? { find(name)?.takeUnretainedValue() }

  /// A value by its name. It lives as long as the object, so it need not be retained.
  @inline(__always)
  func find(_ name: UnsafePointer<CChar>) -> Unmanaged<PublishedValue>? {
    published.withLock { published in
      let place = Self.place(of: name, in: published)
      return place.isTaken ? .passUnretained(published[place.index]) : nil
    }
  }

  /// Adds a value. Returns false if there is one with that name already.
  func add(_ value: PublishedValue) -> Bool {
    value.subject.objectWillChange = objectWillChange
    return published.withLock { published in
      let place = Self.place(of: value.name, in: published)
      if !place.isTaken { published.insert(value, at: place.index) }
      return !place.isTaken
    }
  }

  private static func place(
    of name: UnsafePointer<CChar>, in published: [PublishedValue]
  ) -> (index: Int, isTaken: Bool) {
    var (low, high) = (0, published.count)
    while low < high {
      let middle = (low + high) / 2
      let order = strcmp(published[middle].name, name)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }
}

/// One of an object's values.
final class PublishedValue {
  /// NUL-terminated; valid as long as the value.
  let name: UnsafeMutablePointer<CChar>
  let subject: PublishedSubject<Value, StreamError>

  /// Takes ownership of the name, which it releases with `free`.
  init(_ name: UnsafeMutablePointer<CChar>, _ initial: Value) {
    self.name = name
    subject = PublishedSubject(initial)
  }

  deinit { free(name) }
}

/// An object that is made at its first use. Not an `AtomicLazyReference`, whose orderings ThreadSanitizer does not see.
private struct Lazily<Object: AnyObject>: ~Copyable {
  private let object = Lock<Object?>(nil)

  var existing: Object? { object.withLock { $0 } }

  /// If several threads make one at the same time, one object stays.
  func made(_ make: () -> Object) -> Object {
    if let existing { return existing }
    let new = make()
    return withExtendedLifetime(new) {
      object.withLock { object in
        object = object ?? new
        return object.unsafelyUnwrapped
      }
    }
  }
}

/// Sends an object's signals as values.
private final class ChangeSignals {
  let subject = PassthroughSubject<Value, StreamError>()
  private let cancellable: AnyCancellable

  init(of publisher: ObservableObjectPublisher) {
    cancellable = publisher.sink { [subject] in subject.send(.null) }
  }
}

extension Kind {
  static let observableObject = HandleKind<PublishedObject>(STREAMS_KIND_OBSERVABLE_OBJECT)
}
