/// Makes one value from several.
///
/// A protocol, not a closure: the code for each value is compiled into the operator that calls it.
@usableFromInline
package protocol RowTransform<Element, Output, Failure> {
  associatedtype Element
  associatedtype Output
  associatedtype Failure: Error

  /// The transform for a subscription of its own, which may keep what it uses again.
  func forSubscription() -> Self

  /// Gets the values one by one: it must ask for each, once and in order.
  func callAsFunction(_ count: Int, _ element: (Int) -> Element) throws(Failure) -> Output

  /// Makes a value from a row that does not change during the call, and delivers it.
  func callAsFunction(
    _ row: UnsafeBufferPointer<Element>, _ deliver: (UnsafePointer<Output>) -> Subscribers.Demand
  ) throws(Failure) -> Subscribers.Demand

  /// Stores a value in the place of another if its type needs no reference counting. Returns whether it has.
  func exchangePlain(_ place: UnsafeMutablePointer<Element>, _ value: UnsafePointer<Element>) -> Bool
}

extension RowTransform {
  @inlinable
  package func forSubscription() -> Self { self }

  @inlinable @inline(__always)
  package func callAsFunction(
    _ row: UnsafeBufferPointer<Element>, _ deliver: (UnsafePointer<Output>) -> Subscribers.Demand
  ) throws(Failure) -> Subscribers.Demand {
    var output = try self(row.count) { row[$0] }
    return _withUnprotectedUnsafeMutablePointer(to: &output) { deliver($0) }
  }

  @inlinable @inline(__always)
  package func exchangePlain(
    _ place: UnsafeMutablePointer<Element>, _ value: UnsafePointer<Element>
  ) -> Bool {
    guard _isPOD(Element.self) else { return false }
    place.pointee = value.pointee
    return true
  }

  /// Makes a value from one value of each branch. The array is borrowed: a copy would be retained and released for each
  /// value.
  @inlinable @inline(__always)
  func callAsFunction<Each: Branch>(
    _ branches: borrowing ContiguousArray<Each>, _ element: (Each) -> Element
  ) throws(Failure) -> Output {
    // Not captured, which would retain it too; nor are its branches retained.
    try branches.withUnsafeBufferPointer { branches throws(Failure) in
      try self(branches.count) { index in
        Unmanaged.passUnretained(branches[index])._withUnsafeGuaranteedRef { element($0) }
      }
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
  package func callAsFunction(_ count: Int, _ element: (Int) -> Element) throws(Failure) -> [Element] {
    Array(unsafeUninitializedCapacity: count) { memory, initialized in
      for index in 0..<count { memory.initializeElement(at: index, to: element(index)) }
      initialized = count
    }
  }
}
