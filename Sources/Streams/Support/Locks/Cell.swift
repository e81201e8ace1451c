import Synchronization

/// Storage inside its owner for a value whose exclusive use the owner guarantees by other means.
///
/// A class's stored `var` is checked for exclusive access on every use; on the hot paths a gate or a lock gives
/// that guarantee already, and the check would cost more than the work.
@frozen
@usableFromInline
package struct Cell<Value: ~Copyable>: ~Copyable {
  @usableFromInline let storage: _Cell<Value>

  @inlinable @inline(__always)
  package init(_ value: consuming Value) { storage = _Cell(value) }

  /// Calls `body` with the value where it is: what it refers to is not counted once more for the call. Nobody may
  /// change the value meanwhile.
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

  /// Where the value is, for code that may be entered again while it uses the value.
  @inlinable @inline(__always)
  package var address: UnsafeMutablePointer<Value> { storage._address }
}

extension UnsafeMutablePointer {
  /// Puts a value in the place of another, and only then releases that one: its release may come back here.
  @inlinable @inline(__always)
  func replace(with value: Pointee) {
    let replaced = exchange(&pointee, with: value)
    withExtendedLifetime(replaced) {}
  }
}
