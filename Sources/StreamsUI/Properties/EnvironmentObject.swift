import Streams
import StreamsProperty
import StreamsScopes

/// An object of this type that was set on a view further up. This view is evaluated again when the object changes.
///
///     ContentView().environmentObject(Model())
///
///     struct Row: View {
///       @EnvironmentObject var model: Model
///       var body: some View { Text(model.title) }
///     }
///
/// If none was set, the host shows nothing in the view's place, and adds a ``ViewHost/MissingObject`` to its errors, which
/// `update()` throws. Reading the property anyway stops the program with that message.
@propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject>: DynamicProperty {
  private var object: ObjectType?

  /// Makes the property; its object comes from the environment.
  public init() {}

  /// The object.
  @MainActor @preconcurrency public var wrappedValue: ObjectType {
    if let object { return object }
    fatalError(ViewHost.MissingObject(type: ObjectType.self, path: "a view that is in no tree").description)
  }

  /// Bindings of the object's properties.
  @MainActor @preconcurrency public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    .init(wrappedValue)
  }
}

extension EnvironmentObject: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {
    object =
      context.scope.environmentValue(ObjectIdentifier(EnvironmentObject<ObjectType>.self)) as? ObjectType
    guard let object else {
      slot = nil
      let missing = ViewHost.MissingObject(type: ObjectType.self, path: HostCore.path(of: context.scope))
      context.problem = context.problem ?? missing
      return
    }
    Observation.of(object, in: &slot, context)
  }

  static func isSame(_ old: Self, _ new: Self) -> Bool { true }
}

extension View {
  /// Sets an object for the views in this one, where ``EnvironmentObject`` finds it by its type.
  nonisolated public func environmentObject<T: ObservableObject>(_ object: T) -> some View {
    modifier(ObjectModifier(object: object))
  }
}

nonisolated private struct ObjectModifier<T: ObservableObject>: ViewModifier, WholeModifier {
  typealias Body = Never
  let object: T

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.within(RetainedContent.init) { scope, _, _ in
      let key = ObjectIdentifier(EnvironmentObject<T>.self)
      scope.setEnvironmentValue(key, view.modifier.object) { $0 === $1 }
      V._makeView(view.content, inputs)
    }
  }
}
