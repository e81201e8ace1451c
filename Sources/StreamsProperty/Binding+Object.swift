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
        // After the others, so that no change is missed: what the last one sends at once.
        let moments = Publishers.MergeMany(told + [Just(()).eraseToAnyPublisher()])
        return Property(initial: value, then: moments.map(read))
      })
  }
}
