import Observation
import StreamsObservation
import StreamsProperty

/// An observable object of which a view needs bindings.
///
/// `$` returns bindings of the object's properties. The view does not own the object: it keeps it in a ``State``, or receives it.
/// A view is evaluated again when a property that its body has read changes, with or without this wrapper.
///
///     @Observable final class Song { var title = "" }
///
///     struct Editor: View {
///       @Bindable var song: Song
///
///       var body: some View { TextField("Title", text: $song.title) }
///     }
///
/// **Threads.** As those of the object: its properties are read and set on the threads that use the bindings.
@dynamicMemberLookup
@propertyWrapper
public struct Bindable<Value> {
  /// The object.
  public var wrappedValue: Value

  /// The wrapper itself, for bindings of the object's properties.
  public var projectedValue: Bindable<Value> { self }

  /// Values of other types cannot be observed.
  @available(*, unavailable, message: "the value must be an Observable object")
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Bindable where Value: AnyObject & Observable {
  /// Makes bindings of an object.
  public init(wrappedValue: Value) { self = Self(object: wrappedValue) }

  /// Makes bindings of an object, also within a body.
  ///
  ///     @Bindable var song = song
  public init(_ wrappedValue: Value) { self.init(wrappedValue: wrappedValue) }

  /// Makes a wrapper of the one that `$` returns.
  public init(projectedValue: Bindable<Value>) { self = projectedValue }

  /// A binding of a property, whoever changes it.
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    let object = wrappedValue
    let read = { object[keyPath: keyPath] }
    return Binding(get: read, set: { object[keyPath: keyPath] = $0 }, changes: ObservedValues(read))
  }
}

extension Bindable {
  private init(object: Value) { wrappedValue = object }
}

extension Bindable: Identifiable where Value: Identifiable {
  /// The object's identity.
  public var id: Value.ID { wrappedValue.id }
}

extension Bindable: Sendable where Value: Sendable {}
