import Streams

/// Makes something of two values, or throws what the operators throw.
struct ValuePair<Output>: PairTransform {
  let body: (Value, Value) throws -> Output

  init(_ body: @escaping (Value, Value) throws -> Output) { self.body = body }

  func callAsFunction(
    _ first: UnsafePointer<Value>, _ second: UnsafePointer<Value>
  ) throws(TestFailure) -> Output {
    do { return try body(first.pointee, second.pointee) } catch { throw TestFailure() }
  }
}

extension ValuePair: Accumulation where Output == Value {}
