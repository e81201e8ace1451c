public import Streams

extension Binding {
  /// Makes a binding of what is at a key path of an observable object, which it keeps.
  ///
  /// Who watches is told after each change of the published properties that the key path reads when it is first
  /// watched, its own or those that it is computed from. If it reads none, of what is set through this binding.
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

  /// Makes a binding of two functions: who watches is told of what `get` returns at each of the moments. In an endless
  /// circle of changes it is told of `substitute`.
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

  /// Makes a binding of two functions and a publisher of the values; in an endless circle of changes, who watches is told
  /// of `substitute`.
  package init(
    get: @escaping () -> Value, set: @escaping (Value) -> Void, changes: AnyPublisher<Value, Never>,
    substitute: Value
  ) {
    location = Location(
      read: get, write: set,
      watch: { Property(initial: get(), then: changes, substitute: substitute) })
  }

  /// What is read when one of `moments` comes, and at once.
  static func readings(
    by read: @escaping () -> Value, at moments: [AnyPublisher<Void, Never>]
  ) -> AnyPublisher<Value, Never> {
    // After the others, so that no change is missed: what the last one sends at once.
    let now = Publishers.Sequence<[Void], Never>(sequence: [()])
    return Publishers.MergeMany(moments + [now.eraseToAnyPublisher()]).map(read).eraseToAnyPublisher()
  }
}
