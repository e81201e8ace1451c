/// What a ``NavigationStack`` shows above its root: values of any types, the last of which is on top.
public struct NavigationPath: Equatable {
  var elements: [AnyHashable]

  /// An empty path.
  public init() { elements = [] }

  /// A path of these values.
  public init<S: Sequence>(_ elements: S) where S.Element: Hashable {
    self.elements = elements.map { AnyHashable($0) }
  }

  init(elements: [AnyHashable]) { self.elements = elements }

  /// How many values it has.
  public var count: Int { elements.count }
  /// Whether it has none.
  public var isEmpty: Bool { elements.isEmpty }

  /// Adds a value on top.
  public mutating func append<V: Hashable>(_ value: V) { elements.append(AnyHashable(value)) }

  /// Removes so many values from the top.
  public mutating func removeLast(_ k: Int = 1) { elements.removeLast(k) }
}
