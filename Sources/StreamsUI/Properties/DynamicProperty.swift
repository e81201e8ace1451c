import Streams
import StreamsObservation
import StreamsProperty
import StreamsScopes
@_spi(Reflection) import Swift

/// A stored property of a view that takes part in its updates: ``State``, ``Environment`` and the like, and structures that
/// consist of these.
///
///     struct Draft: DynamicProperty {
///       @State var text = ""
///       @Environment(\.locale) private var locale
///       var title: String { text.capitalized(with: locale) }
///     }
public protocol DynamicProperty {
  /// Called before the view's body, when the properties in this one have their values.
  mutating func update()
}

extension DynamicProperty {
  /// Does nothing.
  public mutating func update() {}
}

/// A property with storage that its view's place in the tree keeps.
protocol ConnectedProperty: DynamicProperty {
  /// `slot` is the property's storage there.
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext)
  /// Whether a view is the same with either property, as far as its owner decides.
  static func isSame(_ old: Self, _ new: Self) -> Bool
  /// Whether it is an object that the view's owner may replace.
  static var isObject: Bool { get }
}

extension ConnectedProperty {
  static var isObject: Bool { false }
}

/// The place at which properties are connected.
final class PropertyContext {
  let scope: Scope
  let core: HostCore
  let type: Any.Type
  var problem: ViewHost.MissingObject?

  init(scope: Scope, core: HostCore, type: Any.Type) {
    (self.scope, self.core, self.type) = (scope, core, type)
  }
}

/// The offsets of the properties in a type's values, in the order in which to connect them.
struct PropertyPlan: @unchecked Sendable {
  enum Step {
    case connect(any ConnectedProperty.Type)
    case update(any DynamicProperty.Type)
  }

  private(set) var steps: [(offset: Int, step: Step)] = []
  /// Whether views of the type read observable objects.
  let observables = ObservableReads.Use()

  static func of(_ type: Any.Type) -> PropertyPlan {
    let key = ObjectIdentifier(type)
    if let plan = plans.withLock({ $0[key] }) { return plan }
    var plan = PropertyPlan()
    plan.add(fieldsOf: type, at: 0, carrying: (type as? any Carrier.Type)?.carriedField)
    plans.withLock { [plan] in $0[key] = plan }
    return plan
  }

  private mutating func add(fieldsOf type: Any.Type, at start: Int, carrying carried: String? = nil) {
    guard isStruct(type) else { return }
    _ = _forEachField(of: type) { name, offset, field, _ in
      if let connected = field as? any ConnectedProperty.Type {
        steps.append((start + offset, .connect(connected)))
      } else if let property = field as? any DynamicProperty.Type {
        add(fieldsOf: field, at: start + offset)
        steps.append((start + offset, .update(property)))
      } else if carried == String(cString: name) {
        add(fieldsOf: field, at: start + offset)
      }
      return true
    }
  }

  func connect<Owner>(_ owner: inout Owner, _ slots: inout [AnyObject?], _ context: PropertyContext) {
    if steps.isEmpty { return }
    withUnsafeMutablePointer(to: &owner) { owner in
      for (index, (offset, step)) in steps.enumerated() {
        let place = UnsafeMutableRawPointer(owner) + offset
        switch step {
        case .connect(let type): type.connect(at: place, &slots[index], context)
        case .update(let type): if context.problem == nil { type.update(at: place) }
        }
      }
    }
  }
}

private nonisolated(unsafe) let plans = Lock<[ObjectIdentifier: PropertyPlan]>([:])

extension ConnectedProperty {
  fileprivate static func connect(
    at place: UnsafeMutableRawPointer, _ slot: inout AnyObject?, _ context: PropertyContext
  ) {
    place.assumingMemoryBound(to: Self.self).pointee.connect(to: &slot, context)
  }
}

extension DynamicProperty {
  fileprivate static func update(at place: UnsafeMutableRawPointer) {
    place.assumingMemoryBound(to: Self.self).pointee.update()
  }
}

extension Binding: DynamicProperty {}

extension Binding: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {}
  static func isSame(_ old: Self, _ new: Self) -> Bool { old.isSame(as: new) }
}
