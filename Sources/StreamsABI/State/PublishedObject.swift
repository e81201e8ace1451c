import CStreams
import Glibc
import Streams

/// The observable object behind a handle: published values, found by their names.
final class PublishedObject {
  /// Told before any of the values changes.
  let objectWillChange = ObservableObjectPublisher()
  /// In the order of their names.
  private let published = Lock<[PublishedValue]>([])
  private let signals = Lazily<ChangeSignals>()
  private let end = Lazily<PassthroughSubject<Value, StreamError>>()

  deinit { end.existing?.send(.null) }

  /// The signals of `objectWillChange`, to each subscriber as many as it has demand for.
  var changes: PassthroughSubject<Value, StreamError> {
    signals.made { ChangeSignals(of: objectWillChange) }.subject
  }

  /// Publishes something when the object goes away.
  var ended: ValuePublisher {
    end.made { PassthroughSubject() }.eraseToAnyPublisher()
  }

  func value(named name: UnsafePointer<CChar>) -> PublishedValue? { find(name)?.takeUnretainedValue() }

  /// A value, which stays for as long as the object does: it need not be retained.
  @inline(__always)
  func find(_ name: UnsafePointer<CChar>) -> Unmanaged<PublishedValue>? {
    published.withLock { published in
      let place = Self.place(of: name, in: published)
      return place.isTaken ? .passUnretained(published[place.index]) : nil
    }
  }

  /// Returns false if there is a value of that name already.
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
  /// Ended by NUL, alive as long as the value.
  let name: UnsafeMutablePointer<CChar>
  let subject: PublishedSubject<Value, StreamError>

  /// Takes over the name, for `free`.
  init(_ name: UnsafeMutablePointer<CChar>, _ initial: Value) {
    self.name = name
    subject = PublishedSubject(initial)
  }

  deinit { free(name) }
}

/// An object that is made when it is asked for. No `AtomicLazyReference`: ThreadSanitizer does not see its orderings.
private struct Lazily<Object: AnyObject>: ~Copyable {
  private let object = Lock<Object?>(nil)

  var existing: Object? { object.withLock { $0 } }

  /// Where several threads ask at once, one object stays.
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

/// Passes an object's signals on as values.
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
