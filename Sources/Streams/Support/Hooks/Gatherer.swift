/// Gathers values until there are enough, and makes one value of them.
///
/// A protocol, not a closure: the code for each value is compiled into the operator, which runs it under a lock. It
/// must not release anything of the user's there.
@usableFromInline
package protocol Gatherer<Element, Output, Failure> {
  associatedtype Element
  associatedtype Output
  associatedtype Failure: Error

  /// Makes a gatherer of at most `limit` values.
  init(limit: Int)

  var isEmpty: Bool { get }

  /// The gathered values.
  var elements: [Element] { get }

  /// Adds a value. Returns whether it is the last.
  mutating func append(_ element: UnsafePointer<Element>) -> Bool

  /// The value that the gathered values make.
  consuming func result() throws(Failure) -> Output
}

/// Gathers values in an array.
@frozen
@usableFromInline
package struct ArrayGatherer<Element, Failure: Error>: Gatherer {
  @usableFromInline package private(set) var elements: [Element] = []
  @usableFromInline let limit: Int

  @inlinable
  package init(limit: Int) { self.limit = limit }

  @inlinable
  package var isEmpty: Bool { elements.isEmpty }

  @inlinable @inline(__always)
  package mutating func append(_ element: UnsafePointer<Element>) -> Bool {
    if elements.isEmpty { elements.reserveCapacity(min(limit, 1024)) }
    elements.append(element.pointee)
    return elements.count >= limit
  }

  @inlinable @inline(__always)
  package consuming func result() throws(Failure) -> [Element] { elements }
}
