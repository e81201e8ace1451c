/// Makes something of two values, which stay where they are.
///
/// A protocol and no closure: what is called for each value is compiled into the operator that calls it.
@usableFromInline
package protocol PairTransform<First, Second, Output, Failure> {
  associatedtype First
  associatedtype Second
  associatedtype Output
  associatedtype Failure: Error

  func callAsFunction(
    _ first: UnsafePointer<First>, _ second: UnsafePointer<Second>
  ) throws(Failure) -> Output
}

/// Calls a closure that may throw anything.
@frozen
@usableFromInline
struct ThrowingPair<First, Second, Output>: PairTransform {
  @usableFromInline let body: (First, Second) throws -> Output

  @inlinable
  init(_ body: @escaping (First, Second) throws -> Output) { self.body = body }

  @inlinable @inline(__always)
  func callAsFunction(
    _ first: UnsafePointer<First>, _ second: UnsafePointer<Second>
  ) throws(any Error) -> Output {
    let first = UnsafeBufferPointer(start: first, count: 1)
    return try first.lend(0) { first in
      try UnsafeBufferPointer(start: second, count: 1).lend(0) { try body(first, $0) }
    }
  }
}
