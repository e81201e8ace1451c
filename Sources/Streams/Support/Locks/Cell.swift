import Synchronization

/// Inline storage for a value whose exclusive use the owner guarantees by other means.
///
/// A class's stored `var` is checked for exclusive access on every use; on the hot paths a gate or a lock gives
/// that guarantee already, and the check would cost more than the work.
@frozen
@usableFromInline
package struct Cell<Value: ~Copyable>: ~Copyable {
  @usableFromInline let storage: _Cell<Value>

  @inlinable @inline(__always)
  package init(_ value: consuming Value) { storage = _Cell(value) }

  /// Calls `body` with the value in place, without retaining what it refers to. The value must not change during
  /// the call.
  @inlinable @inline(__always)
  package func lend<Result>(to body: (borrowing Value) -> Result) -> Result { body(storage._address.pointee) }
}

extension Cell {
  /// The value. The caller must be the only one to use it.
  @inlinable @inline(__always)
  package var value: Value {
    get { storage._address.pointee }
    nonmutating _modify { yield &storage._address.pointee }
  }

  /// The address of the value, for re-entrant code that uses the value.
  @inlinable @inline(__always)
  package var address: UnsafeMutablePointer<Value> { storage._address }
}

extension UnsafeMutablePointer {
  /// Stores a value in the place of another, and only then releases that one: its release may re-enter here.
  @inlinable @inline(__always)
  func replace(with value: Pointee) {
    let replaced = exchange(&pointee, with: value)
    withExtendedLifetime(replaced) {}
  }
}
