import Dispatch
import Streams
@_spi(Reflection) import Swift

/// A type whose values contain values of other types, and are compared by them.
///
/// The contained types are looked up when values are compared: a type may contain itself.
protocol Container {
  static var comparison: Comparison { get }
  /// The types that its values contain.
  static var contained: [Any.Type] { get }
}

extension Optional: Container {
  static var contained: [Any.Type] { [Wrapped.self] }

  static var comparison: Comparison {
    { old, new in
      switch (old.assumingMemoryBound(to: Self.self).pointee, new.assumingMemoryBound(to: Self.self).pointee)
      {
      case (nil, nil): true
      case (let old?, let new?): areEqual(old, new)
      default: false
      }
    }
  }
}

extension Array: Container {
  static var contained: [Any.Type] { [Element.self] }

  static var comparison: Comparison {
    { old, new in
      let (old, new) = (
        old.assumingMemoryBound(to: Self.self).pointee, new.assumingMemoryBound(to: Self.self).pointee
      )
      guard old.count == new.count else { return false }
      return old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in
          guard let first = old.baseAddress, let other = new.baseAddress else { return true }
          if first == other && !WeakReferences.mayBe(in: Element.self) { return true }
          let comparison = Comparisons.of(Element.self)
          return old.indices.allSatisfy { comparison(first + $0, other + $0) }
        }
      }
    }
  }
}

extension Dictionary: Container {
  static var contained: [Any.Type] { [Value.self] }

  static var comparison: Comparison {
    { old, new in
      let (old, new) = (
        old.assumingMemoryBound(to: Self.self).pointee, new.assumingMemoryBound(to: Self.self).pointee
      )
      return old.count == new.count
        && old.allSatisfy { key, value in new[key].map { areEqual(value, $0) } ?? false }
    }
  }
}

/// Values of enumerations, and values known only by a protocol.
enum Cases {
  static func areEqual(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ type: Any.Type) -> Bool {
    areEqual(old, new, as: type)
  }

  private static func areEqual<T>(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, as type: T.Type) -> Bool {
    let old: Any = old.assumingMemoryBound(to: T.self).pointee
    let new: Any = new.assumingMemoryBound(to: T.self).pointee
    if Swift.type(of: old) != T.self { return areEqual(old, to: new) }
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard before.displayStyle == .enum, after.displayStyle == .enum, let before = before.children.first,
      let after = after.children.first
    else { return false }
    return before.label == after.label && areEqual(before.value, to: after.value)
  }

  private static func areEqual<T>(_ old: T, to new: Any) -> Bool {
    guard type(of: new) == T.self, let new = new as? T else { return false }
    return StreamsUI.areEqual(old, new)
  }
}

/// Weak and unowned references in values.
enum WeakReferences {
  nonisolated(unsafe) private static let known = Lock<[ObjectIdentifier: Bool]>([:])

  /// Whether values of a type may have any, as far as the type tells.
  static func mayBe(in type: Any.Type) -> Bool {
    let key = ObjectIdentifier(type)
    if let known = known.withLock({ $0[key] }) { return known }
    var seen: Set<ObjectIdentifier> = []
    let found = search(type, &seen)
    known.withLock { $0[key] = found }
    return found
  }

  private static func search(_ type: Any.Type, _ seen: inout Set<ObjectIdentifier>) -> Bool {
    guard seen.insert(ObjectIdentifier(type)).inserted else { return false }
    if let container = type as? any Container.Type {
      return container.contained.contains { search($0, &seen) }
    }
    if type is any Equatable.Type { return false }
    if hasCases(type) { return true }
    return Field.all(of: type)?.contains { !$0.isStrong || search($0.type, &seen) } ?? false
  }

  /// Whether a value has any. For an enumeration, its present case decides.
  static func areIn(_ place: UnsafeRawPointer, _ type: Any.Type) -> Bool {
    hasCases(type) && open(type, place)
  }

  private static func open<T>(_ type: T.Type, _ place: UnsafeRawPointer) -> Bool {
    let value: Any = place.assumingMemoryBound(to: T.self).pointee
    return areIn(value)
  }

  private static func areIn(_ value: Any) -> Bool {
    let type = Swift.type(of: value)
    if type is AnyClass || type is any Equatable.Type { return false }
    let parts =
      hasCases(type) || type is any Container.Type ? Mirror(reflecting: value).children.map(\.value) : []
    return parts.contains(where: areIn) || !hasCases(type) && mayBe(in: type)
  }
}

extension DispatchQueue {
  /// A system queue is a new object at each access, but the same queue.
  static var comparison: Comparison {
    let offset = wrapped
    return { old, new in
      let (old, new) = (old.load(as: UnsafeRawPointer.self), new.load(as: UnsafeRawPointer.self))
      if old == new { return true }
      guard let offset else { return false }
      return (old + offset).load(as: UInt.self) == (new + offset).load(as: UInt.self)
    }
  }

  /// The offset in the object of the queue that it wraps.
  private static var wrapped: Int? {
    var found: Int?
    let ofClass = _EachFieldOptions(rawValue: 1)
    _ = _forEachField(of: DispatchQueue.self, options: ofClass) { name, offset, _, _ in
      if String(cString: name).hasSuffix("wrapped") { found = offset }
      return true
    }
    return found
  }
}
