@_spi(Reflection) import Swift

/// A field of a structure or a tuple.
struct Field {
  let offset: Int
  let type: Any.Type
  /// False for a weak or an unowned reference.
  let isStrong: Bool

  /// The fields of a structure or a tuple; nil for any other type, and for a C structure, whose fields are not all known.
  static func all(of type: Any.Type) -> [Field]? {
    guard isStruct(type) || isTuple(type), !String(reflecting: type).hasPrefix("__C.") else { return nil }
    var fields: [Field] = []
    _ = _forEachField(of: type) { _, offset, field, _ in
      fields.append(
        Field(
          offset: offset, type: field,
          isStrong: isTuple(type) || FieldMetadata.of(type, at: fields.count).isStrong))
      return true
    }
    return fields
  }
}

/// The runtime's description of a field, in the runtime's layout.
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

/// Whether a type is a structure: only fields of structures are compared. The first word of the type's metadata tells its kind.
func isStruct(_ type: Any.Type) -> Bool { kind(of: type) == 0x200 }

private func isTuple(_ type: Any.Type) -> Bool { kind(of: type) == 0x301 }

/// Whether a value of the type may be one of several kinds: the type is an enumeration, or a protocol.
func hasCases(_ type: Any.Type) -> Bool { [0x201, 0x303].contains(kind(of: type)) }

private func kind(of type: Any.Type) -> Int { unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee }
