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

/// Makes results of the last one and a value.
@usableFromInline
package protocol Accumulation<Second, Output, Failure>: PairTransform where First == Output {
  /// Makes the next result, puts it in the place of the last one and has it delivered.
  ///
  /// What makes it may come back here and replace the last one, as may what it is delivered to. Each of them is given
  /// what is not in that place therefore.
  func accumulate(
    _ value: UnsafePointer<Second>, in result: UnsafeMutablePointer<Output>,
    _ deliver: (UnsafePointer<Output>) -> Subscribers.Demand
  ) throws(Failure) -> Subscribers.Demand
}

extension Accumulation {
  @inlinable @inline(__always)
  package func accumulate(
    _ value: UnsafePointer<Second>, in result: UnsafeMutablePointer<Output>,
    _ deliver: (UnsafePointer<Output>) -> Subscribers.Demand
  ) throws(Failure) -> Subscribers.Demand {
    var last = result.pointee
    var next = try _withUnprotectedUnsafeMutablePointer(to: &last) { last throws(Failure) in
      try self(last, value)
    }
    return keep(&next, in: result, deliver)
  }

  /// Puts a result in the place of another, which is released after the delivery: that may run anybody's code, which
  /// may send and complete.
  @inlinable @inline(__always)
  package func keep(
    _ next: inout Output, in result: UnsafeMutablePointer<Output>,
    _ deliver: (UnsafePointer<Output>) -> Subscribers.Demand
  ) -> Subscribers.Demand {
    let replaced = exchange(&result.pointee, with: next)
    let demand = _withUnprotectedUnsafeMutablePointer(to: &next) { deliver($0) }
    withExtendedLifetime(replaced) {}
    return demand
  }
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

extension ThrowingPair: Accumulation where First == Output {}
