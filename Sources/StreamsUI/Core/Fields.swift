import Foundation
import Streams
@_spi(Reflection) import Swift

/// How values of a type are compared, where they lie.
typealias Comparison = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool

/// How the fields of types are compared, by the types; it is looked up once for each.
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
    if let equatable = type as? any Equatable.Type {
      let comparison = equatable.comparison
      let objects = type is any View.Type ? PropertyPlan.of(type).objects : []
      if objects.isEmpty { return comparison }
      return { old, new in
        comparison(old, new) && objects.allSatisfy { $0.comparison(old + $0.offset, new + $0.offset) }
      }
    }
    // Of a structure of C's only some of the fields are known.
    if isStruct(type), !String(reflecting: type).hasPrefix("__C.") {
      var parts: [(offset: Int, comparison: Comparison)] = []
      _ = _forEachField(of: type) { _, offset, field, _ in
        // What is there is no object, and may be none any more.
        let isStrong = FieldMetadata.of(type, at: parts.count).isStrong
        parts.append((offset, isStrong ? of(field) : { _, _ in false }))
        return true
      }
      return { old, new in parts.allSatisfy { $0.comparison(old + $0.offset, new + $0.offset) } }
    }
    // An object or a closure is the same if its bits are; whatever else has the same bits is the same too.
    let size = Self.size(of: type)
    return { old, new in memcmp(old, new, size) == 0 }
  }

  private static func size<T>(of type: T.Type) -> Int { MemoryLayout<T>.size }
}

/// What the runtime knows of a field, as it lays that out.
private struct FieldMetadata {
  var name: UnsafePointer<CChar>?
  var freeName: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  /// False for a weak or an unowned reference.
  var isStrong = true
  var isVariable = false

  static func of(_ type: Any.Type, at index: Int) -> FieldMetadata {
    var found = FieldMetadata()
    _ = childMetadata(of: type, at: index, &found)
    found.freeName?(found.name)
    return found
  }
}

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func childMetadata(
  of type: Any.Type, at index: Int, _ found: UnsafeMutablePointer<FieldMetadata>
) -> Any.Type

/// Whether a type is a structure: only of those the fields are looked at. The runtime says so in the first word of what
/// it knows of the type.
func isStruct(_ type: Any.Type) -> Bool { unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee == 0x200 }

extension Equatable {
  fileprivate static var comparison: Comparison {
    { $0.assumingMemoryBound(to: Self.self).pointee == $1.assumingMemoryBound(to: Self.self).pointee }
  }
}

extension PropertyPlan {
  /// The objects that a view observes: with another one it is another view, whatever it says itself.
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

/// Whether two values are equal, as far as that can be told.
func areEqual<T>(_ old: T, _ new: T) -> Bool {
  withUnsafePointer(to: old) { old in
    withUnsafePointer(to: new) { new in Comparisons.of(T.self)(old, new) }
  }
}
