@_spi(Reflection) import Swift

/// Where the published properties lie in the objects of a class, superclasses included.
///
/// A mirror does not serve for this: a class may define its own.
struct PublishedFields: @unchecked Sendable {
  private var fields: [(offset: Int, type: any PublishedField.Type)] = []
  private nonisolated(unsafe) static let known = Lock<[ObjectIdentifier: PublishedFields]>([:])

  static func properties(of object: AnyObject) -> [any PublishedProperty] {
    let fields = of(type(of: object)).fields
    return withExtendedLifetime(object) {
      let place = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
      return fields.compactMap { $0.type.property(at: place + $0.offset) }
    }
  }

  private static func of(_ type: AnyClass) -> PublishedFields {
    let key = ObjectIdentifier(type)
    if let fields = known.withLock({ $0[key] }) { return fields }
    var found = PublishedFields()
    let ofClass = _EachFieldOptions(rawValue: 1)
    _ = _forEachField(of: type, options: ofClass) { _, offset, field, _ in
      if let field = field as? any PublishedField.Type { found.fields.append((offset, field)) }
      return true
    }
    known.withLock { [found] in $0[key] = found }
    return found
  }
}

/// The type of a field that may hold a published property.
private protocol PublishedField {
  static func property(at place: UnsafeRawPointer) -> (any PublishedProperty)?
}

extension Published: PublishedField {
  fileprivate static func property(at place: UnsafeRawPointer) -> (any PublishedProperty)? {
    place.assumingMemoryBound(to: Self.self).pointee
  }
}

extension Optional: PublishedField where Wrapped: PublishedProperty {
  fileprivate static func property(at place: UnsafeRawPointer) -> (any PublishedProperty)? {
    place.assumingMemoryBound(to: Self.self).pointee
  }
}
