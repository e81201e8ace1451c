/// Makes a result of two values, which it gets by address.
///
/// A protocol, not a closure: the code for each value is compiled into the operator that calls it.
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

/// Makes each result of the last one and a value.
@usableFromInline
package protocol Accumulation<Second, Output, Failure>: PairTransform where First == Output {
  /// Makes the next result, stores it in the place of the last one and delivers it.
  ///
  /// The user's closure may re-enter here and replace the last result, and so may the subscriber. Each is therefore
  /// passed a copy, not the stored result.
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

  /// Stores a result in the place of another, which is released after the delivery: the release may run the user's
  /// code, which may send and complete.
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

/// Calls a closure that may throw any error.
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
