/// An object that notifies its subscribers before it changes.
///
/// A class that adopts this protocol gets ``objectWillChange`` for free: it sends before any of the class's
/// ``Published`` properties changes.
///
///     final class Counter: ObservableObject {
///       @Published var count = 0
///     }
///
///     let counter = Counter()
///     let cancellable = counter.objectWillChange.sink { print("about to change from \(counter.count)") }
///     counter.count += 1  // about to change from 0
public protocol ObservableObject: AnyObject {
  /// The type of the publisher of changes.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// A publisher that sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// A publisher that sends before one of the object's published properties changes, also those of its superclasses.
  /// It is the same one for as long as the object lives.
  public var objectWillChange: ObservableObjectPublisher {
    let properties = PublishedFields.properties(of: self)
    let installed = properties.lazy.compactMap(\.objectWillChange).first
    if properties.isEmpty { return ObjectPublisherTable.shared.publisher(of: self) }
    let publisher = installed ?? ObservableObjectPublisher()
    for property in properties { property.objectWillChange = publisher }
    return publisher
  }
}

/// A stored property that notifies its owner's publisher before it changes.
protocol PublishedProperty {
  var objectWillChange: ObservableObjectPublisher? { get nonmutating set }
}
