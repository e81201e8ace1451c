/// A property of a class that is also a publisher of its values.
///
/// The publisher is reached with `$`. It sends the current value to each new subscriber, then each new value before
/// the property changes: a subscriber that reads the property finds the old value there. A subscriber that is
/// behind on demand gets only the latest value when it requests again.
///
///     final class Weather {
///       @Published var temperature = 20.0
///     }
///
///     let weather = Weather()
///     let cancellable = weather.$temperature.sink { print($0) }  // 20.0
///     weather.temperature = 25                               // 25.0
@propertyWrapper
public struct Published<Value> {
  /// The publisher of a property's values. It never completes.
  ///
  /// It sends the present value to each new subscriber, and every new one before the property changes. A
  /// subscriber that is behind on demand gets only the latest value when it requests again.
  public struct Publisher: Streams.Publisher {
    /// The values are the property's.
    public typealias Output = Value
    /// It cannot fail.
    public typealias Failure = Never

    package let subject: PublishedSubject<Value, Never>

    /// Attaches `subscriber`, which gets the property's present value first.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }
  }

  @usableFromInline let storage: PublishedStorage<Value>

  /// Makes a property with its first value.
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// Makes a property with its first value.
  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

  /// The property's publisher. Setting it has no effect.
  public var projectedValue: Publisher {
    mutating get { Publisher(subject: storage.subject) }
    set {}
  }

  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError("only properties of classes can be published") }
    set { fatalError("only properties of classes can be published") }
  }

  // Where this is inlined, the key path is known, and nothing is looked up.
  @inlinable @inline(__always)
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get {
      let storage = object[keyPath: storageKeyPath].storage
      if PublishedReadings.areNoted { PublishedReadings.note { storage.subject.didChange } }
      return storage.value
    }
    set { object[keyPath: storageKeyPath].storage.value = newValue }
  }
}

extension Published: PublishedProperty {
  var objectWillChange: ObservableObjectPublisher? {
    get { storage.existingSubject?.objectWillChange }
    nonmutating set { storage.subject.objectWillChange = newValue }
  }
}

/// The value of a published property, or its subject once that is needed.
@usableFromInline
final class PublishedStorage<Value> {
  @usableFromInline
  enum State {
    case value(Value)
    case subject(PublishedSubject<Value, Never>)
  }

  @usableFromInline let state: Lock<State>

  @usableFromInline
  init(_ value: Value) { state = Lock(.value(value)) }

  var existingSubject: PublishedSubject<Value, Never>? {
    state.withLock { state in
      if case .subject(let subject) = state { return subject }
      return nil
    }
  }

  @usableFromInline
  var subject: PublishedSubject<Value, Never> {
    state.withLock { state in
      switch state {
      case .subject(let subject):
        return subject
      case .value(let value):
        let subject = PublishedSubject<Value, Never>(value)
        state = .subject(subject)
        return subject
      }
    }
  }

  @inlinable
  var value: Value {
    get {
      BatchProgress.deliverGatheredIfAny()
      let current = state.withLock { $0 }
      switch current {
      case .value(let value): return value
      case .subject(let subject): return subject.broadcast.current
      }
    }
    set {
      BatchProgress.deliverGatheredIfAny()
      // The old state is released after the lock: a value's deinitializer may run the user's code.
      var replaced = State.value(newValue)
      let subject: PublishedSubject<Value, Never>? = state.withLock { state in
        if case .subject(let subject) = state { return subject }
        swap(&state, &replaced)
        return nil
      }
      subject?.send(newValue)
    }
  }
}

extension Publisher where Failure == Never {
  /// Assigns each value to a published property.
  ///
  /// Requests an unlimited number of values immediately. The subscription ends when the property's owner is
  /// released; a completion is ignored.
  ///
  ///     temperatures.assign(to: &weather.$temperature)
  public func assign(to published: inout Published<Output>.Publisher) {
    subscribe(PublishedSubscriber(published.subject))
  }
}
