/// Makes a value of several that are in a row in memory.
///
/// A protocol and no closure: what is called for each value is compiled into the operator that calls it.
@usableFromInline
package protocol RowTransform<Element, Output, Failure> {
  associatedtype Element
  associatedtype Output
  associatedtype Failure: Error

  /// The values are its own: it is to move them away or to let go of them.
  func callAsFunction(_ row: UnsafeMutableBufferPointer<Element>) throws(Failure) -> Output
}

extension RowTransform {
  /// Makes a value of one of each branch, on the stack if they are few. The branches are lent: a copy of the array would be
  /// counted for each value.
  @inlinable @inline(__always)
  func callAsFunction<Each: Branch>(
    _ branches: borrowing ContiguousArray<Each>, _ element: (Each) -> Element
  ) throws(Failure) -> Output {
    try withUnsafeTemporaryAllocation(of: Element.self, capacity: branches.count) { row throws(Failure) in
      for index in 0..<branches.count { row.initializeElement(at: index, to: element(branches[index])) }
      return try self(row)
    }
  }
}

/// Makes arrays.
@frozen
@usableFromInline
package struct ArrayOfRow<Element, Failure: Error>: RowTransform {
  @inlinable
  init() {}

  @inlinable
  package func callAsFunction(_ row: UnsafeMutableBufferPointer<Element>) throws(Failure) -> [Element] {
    Array(unsafeUninitializedCapacity: row.count) { memory, count in
      count = memory.moveInitialize(fromContentsOf: row)
    }
  }
}
