import Streams
import StreamsProperty
import StreamsScopes

/// An object that a view receives. The view is evaluated again when the object changes.
///
/// `$` returns bindings of the object's properties. The view does not own the object: the owner may pass it another one, and then
/// it is evaluated, even if it is `Equatable` and compares equal.
///
///     struct ModelView: View {
///       @ObservedObject var model: Model
///
///       var body: some View {
///         Toggle("Enabled", isOn: $model.isEnabled)
///       }
///     }
///
/// The body runs after the change, in the host's next update. The object may change on any thread. The view follows the new value
/// of a `Published` property, not `objectWillChange`, which comes before: an update in between finds the old value, and the next
/// one the new. If an object calls `objectWillChange.send()` by hand, nothing reports when it has changed. The view is evaluated
/// when all subscribers have been notified, once more in the next update that is made by hand, and, if another thread than the
/// sending one updates, repeatedly for a second.
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
  /// Bindings of the properties of an object.
  @dynamicMemberLookup
  public struct Wrapper {
    let object: ObjectType

    init(_ object: ObjectType) { self.object = object }

    /// A binding of a property.
    @MainActor @preconcurrency
    public subscript<Subject>(
      dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Subject>
    ) -> Binding<Subject> { Binding(object, keyPath) }
  }

  private var object: ObjectType

  /// Observes an object.
  public init(wrappedValue: ObjectType) { object = wrappedValue }
  /// Observes an object.
  public init(initialValue: ObjectType) { object = initialValue }

  /// The object.
  @MainActor @preconcurrency public var wrappedValue: ObjectType {
    get { object }
    set { object = newValue }
  }
  /// Bindings of the object's properties.
  @MainActor @preconcurrency public var projectedValue: Wrapper { Wrapper(object) }
}

extension ObservedObject: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {
    Observation.of(object, in: &slot, context)
  }

  static func isSame(_ old: Self, _ new: Self) -> Bool { old.object === new.object }
  static var isObject: Bool { true }
}

/// An object that a view makes once for each place in the tree, and observes.
///
///     struct Screen: View {
///       @StateObject private var model = Model()
///
///       var body: some View { ModelView(model: model) }
///     }
///
/// The object is made when the view enters the tree, and released when the view leaves it.
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
  private let make: () -> ObjectType
  private var object: ObjectType?

  /// Makes the object when the view enters a tree.
  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { make = thunk }

  /// The object. Outside a tree each access makes a new one, which is reported.
  @MainActor @preconcurrency public var wrappedValue: ObjectType {
    if let object { return object }
    HostCore.warn("a StateObject<\(ObjectType.self)> was read before its view is in a tree; it is a new one")
    return make()
  }

  /// Bindings of the object's properties.
  @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    .init(wrappedValue)
  }
}

extension StateObject: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {
    let kept = (slot as? Observation)?.object as? ObjectType
    let object = kept ?? Scope.reading(as: nil, make)
    self.object = object
    Observation.of(object, in: &slot, context)
  }

  static func isSame(_ old: Self, _ new: Self) -> Bool { true }
}

/// An object, and the subscription that invalidates a scope when it changes.
final class Observation {
  let object: AnyObject
  private let cancellable: AnyCancellable

  private init<Object: ObservableObject>(_ object: Object, _ scope: Scope, _ announcements: Announcements) {
    self.object = object
    cancellable = object.watchChanges { [weak scope] change in
      guard let scope else { return }
      // Before the invalidation: another thread may evaluate it immediately.
      if change != .made { announcements.add(scope, change) }
      scope.invalidate()
    }
  }

  /// Called in each evaluation, before the object is read.
  static func of<Object: ObservableObject>(
    _ object: Object, in slot: inout AnyObject?, _ context: PropertyContext
  ) {
    let announcements = context.core.announcements
    if (slot as? Observation)?.object !== object {
      slot = Scope.reading(as: nil) { Observation(object, context.scope, announcements) }
    }
    announcements.evaluate(context.scope, byHand: context.core.isUpdatedByHand)
  }
}
