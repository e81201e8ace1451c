import Dispatch
import Foundation
import Streams
@_spi(Reflection) import Swift

/// Compares two values of a type in memory.
typealias Comparison = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool

/// The comparisons of types, each looked up once.
enum Comparisons {
  nonisolated(unsafe) private static let known = Lock<[ObjectIdentifier: Comparison]>([:])

  static func of(_ type: Any.Type) -> Comparison {
    let key = ObjectIdentifier(type)
    if let comparison = known.withLock({ $0[key] }) { return comparison }
    let comparison = make(type)
    known.withLock { $0[key] = comparison }
    return comparison
  }

  private static func make(_ type: Any.Type) -> Comparison {
    if let property = type as? any ConnectedProperty.Type { return property.comparison }
    // Before `==`, which does not compare the objects that contained views observe.
    if let container = type as? any Container.Type { return container.comparison }
    if let scheduler = type as? DispatchQueue.Type { return scheduler.comparison }
    if let equatable = type as? any Equatable.Type {
      let comparison = equatable.comparison
      let objects = type is any View.Type ? PropertyPlan.of(type).objects : []
      if objects.isEmpty { return comparison }
      return { old, new in
        comparison(old, new) && objects.allSatisfy { $0.comparison(old + $0.offset, new + $0.offset) }
      }
    }
    if let fields = Field.all(of: type) {
      let parts = fields.map { field -> (offset: Int, comparison: Comparison) in
        // A weak or unowned field is not an object reference, and its object may be gone.
        (field.offset, field.isStrong ? of(field.type) : { _, _ in false })
      }
      return { old, new in parts.allSatisfy { $0.comparison(old + $0.offset, new + $0.offset) } }
    }
    // Objects and closures are the same if their bits are; other values with the same bits are the same too, unless they have a
    // weak reference.
    let size = Self.size(of: type)
    if isPOD(type) || !hasCases(type) { return { old, new in memcmp(old, new, size) == 0 } }
    return { old, new in
      memcmp(old, new, size) == 0 ? !WeakReferences.areIn(new, type) : Cases.areEqual(old, new, type)
    }
  }

  private static func size<T>(of type: T.Type) -> Int { MemoryLayout<T>.size }

  private static func isPOD<T>(_ type: T.Type) -> Bool { _isPOD(type) }
}

extension Equatable {
  fileprivate static var comparison: Comparison {
    { $0.assumingMemoryBound(to: Self.self).pointee == $1.assumingMemoryBound(to: Self.self).pointee }
  }
}

extension PropertyPlan {
  /// The objects that a view observes: with another object it is another view, even if it compares equal.
  fileprivate var objects: [(offset: Int, comparison: Comparison)] {
    steps.compactMap { offset, step in
      guard case .connect(let type) = step, type.isObject else { return nil }
      return (offset, type.comparison)
    }
  }
}

extension ConnectedProperty {
  fileprivate static var comparison: Comparison {
    { isSame($0.assumingMemoryBound(to: Self.self).pointee, $1.assumingMemoryBound(to: Self.self).pointee) }
  }
}

/// Whether two values are equal, as far as that can be determined.
func areEqual<T>(_ old: T, _ new: T) -> Bool {
  withUnsafePointer(to: old) { old in
    withUnsafePointer(to: new) { new in Comparisons.of(T.self)(old, new) }
  }
}
