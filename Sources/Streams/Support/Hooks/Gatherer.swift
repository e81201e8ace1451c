/// Gathers values until there are enough, and makes a value of them.
///
/// A protocol and no closure: what is called for each value is compiled into the operator that calls it, which does so
/// under a lock. Nothing foreign may be released then.
@usableFromInline
package protocol Gatherer<Element, Output, Failure> {
  associatedtype Element
  associatedtype Output
  associatedtype Failure: Error

  /// Gathers at most so many values.
  init(limit: Int)

  var isEmpty: Bool { get }

  /// What has been gathered.
  var elements: [Element] { get }

  /// Adds a value. Returns whether it is the last.
  mutating func append(_ element: UnsafePointer<Element>) -> Bool

  /// What the values make.
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
