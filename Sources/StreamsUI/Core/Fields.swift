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
    if let equatable = type as? any Equatable.Type { return equatable.comparison }
    if isStruct(type) {
      var parts: [(offset: Int, comparison: Comparison)] = []
      _ = _forEachField(of: type) { _, offset, field, _ in
        parts.append((offset, of(field)))
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

/// Whether a type is a structure: only of those the fields are looked at. The runtime says so in the first word of what
/// it knows of the type.
func isStruct(_ type: Any.Type) -> Bool { unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee == 0x200 }

extension Equatable {
  fileprivate static var comparison: Comparison {
    { $0.assumingMemoryBound(to: Self.self).pointee == $1.assumingMemoryBound(to: Self.self).pointee }
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
