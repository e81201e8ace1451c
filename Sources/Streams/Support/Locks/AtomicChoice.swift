import Synchronization

/// One of a few cases, numbered from 0 in their order, for an `Atomic`.
///
/// A value that is read there was stored there, and so is a valid case: it is not searched for among the cases, as an
/// `Atomic` of a type with raw values does at each use.
@usableFromInline
package protocol AtomicChoice: RawRepresentable, AtomicRepresentable
where RawValue == UInt8, AtomicRepresentation == UInt8.AtomicRepresentation {}

extension AtomicChoice {
  @inlinable @inline(__always)
  package static func encodeAtomicRepresentation(
    _ value: consuming Self
  ) -> UInt8.AtomicRepresentation {
    UInt8.encodeAtomicRepresentation(value.rawValue)
  }

  @inlinable @inline(__always)
  package static func decodeAtomicRepresentation(
    _ storage: consuming UInt8.AtomicRepresentation
  ) -> Self {
    unsafeBitCast(UInt8.decodeAtomicRepresentation(storage), to: Self.self)
  }
}
