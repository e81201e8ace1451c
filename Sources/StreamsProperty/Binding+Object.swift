public import Streams

extension Binding {
  /// Makes a binding of the value at a key path of an observable object, and keeps the object.
  ///
  /// Subscribers are notified after each change of a published property that the key path reads when the binding is first
  /// subscribed to, directly or through computed properties. If it reads none, they are notified of values set through this
  /// binding.
  ///
  ///     final class Car: ObservableObject { @Published var charge = 50.0 }
  ///
  ///     let charge = Binding(Car(), \.charge)
  public init<Root: ObservableObject>(_ object: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>) {
    let isSet = PassthroughSubject<Void, Never>()
    let read = { object[keyPath: keyPath] }
    location = Location(
      read: read,
      write: {
        object[keyPath: keyPath] = $0
        isSet.send()
      },
      watch: {
        let (value, changes) = PublishedReadings.noted(read)
        let told = changes.isEmpty ? [isSet.eraseToAnyPublisher()] : changes.map { $0.eraseToAnyPublisher() }
        return Property(initial: value, then: Self.readings(by: read, at: told))
      })
  }

  /// Makes a binding of two functions. Subscribers get what `read` returns at each of the moments, and at first.
  package init(
    get: @escaping () -> Value, set: @escaping (Value) -> Void, at moments: ObservableObjectPublisher,
    reading read: @escaping () -> Value
  ) {
    location = Location(
      read: get, write: set,
      watch: {
        Property(initial: get(), then: Self.readings(by: read, at: [moments.eraseToAnyPublisher()]))
      })
  }

  /// Makes a binding of two functions. Subscribers get what `get` returns at each of the moments, and `substitute` in an endless
  /// circle of changes.
  package init(
    get: @escaping () -> Value, set: @escaping (Value) -> Void, at moments: ObservableObjectPublisher,
    substitute: Value
  ) {
    location = Location(
      read: get, write: set,
      watch: {
        let readings = Self.readings(by: get, at: [moments.eraseToAnyPublisher()])
        return Property(initial: get(), then: readings, substitute: substitute)
      })
  }

  /// Makes a binding of two functions and a publisher of the values. In an endless circle of changes subscribers get
  /// `substitute`.
  package init(
    get: @escaping () -> Value, set: @escaping (Value) -> Void, changes: AnyPublisher<Value, Never>,
    substitute: Value
  ) {
    location = Location(
      read: get, write: set,
      watch: { Property(initial: get(), then: changes, substitute: substitute) })
  }

  /// The values that `read` returns: one now, and one at each of `moments`.
  static func readings(
    by read: @escaping () -> Value, at moments: [AnyPublisher<Void, Never>]
  ) -> AnyPublisher<Value, Never> {
    // Subscribed to after the others, so that no change is missed: it sends immediately.
    let now = Publishers.Sequence<[Void], Never>(sequence: [()])
    return Publishers.MergeMany(moments + [now.eraseToAnyPublisher()]).map(read).eraseToAnyPublisher()
  }
}
