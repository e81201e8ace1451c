/// How many results an operator gathers on the stack before it passes them on: 64, if they fit into the kilobyte
/// beyond which a temporary allocation is one of the heap.
@inlinable @inline(__always)
package func batchCapacity<Value>(of type: Value.Type) -> Int {
  max(1, min(64, 1024 / max(1, MemoryLayout<Value>.stride)))
}

/// A batch of one value.
///
/// A value that takes no room, such as `()`, has no address: what `withUnsafePointer` gives may be anything. A
/// batch has one, since the standard library reads a byte for each of such values when it copies them.
@inlinable @inline(__always)
package func one<Value>(_ value: UnsafePointer<Value>) -> UnsafeBufferPointer<Value> {
  let isSomewhere = MemoryLayout<Value>.size > 0
  let start = isSomewhere ? value : nowhere.assumingMemoryBound(to: Value.self)
  return UnsafeBufferPointer(start: start, count: 1)
}

/// Where values are that take no room.
@usableFromInline
nonisolated(unsafe) let nowhere = UnsafeRawPointer(
  UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))

/// Delivers the values of a batch one by one with `deliver`, the next one only if the subscription has not ended
/// meanwhile: upstreams that send single values do not send more then.
@inlinable @inline(__always)
package func deliver<Value>(
  singly batch: UnsafeBufferPointer<Value>, until upstream: borrowing SubscriptionSlot,
  _ deliver: (Value) -> Subscribers.Demand
) -> Subscribers.Demand {
  var demand = Subscribers.Demand.none
  for index in 0..<batch.count {
    demand += batch.lend(index, to: deliver)
    if upstream.phase == .ended { break }
  }
  return demand
}

extension UnsafeBufferPointer {
  /// Whether this is a batch of one. The code for a single value is laid out first, without a jump.
  @inlinable @inline(__always)
  package var isSingle: Bool { _fastPath(count == 1) }
}

// One for each form of body. A body of another form is fitted by a thunk, and in specialised code a thunk
// takes the element by value: it is copied to where the thunk can lend it.
extension UnsafeBufferPointer where Element: ~Copyable {
  /// Calls `body` with an element where it lies.
  ///
  /// A subscript would copy the element for the call, which is to retain and to release what it refers to. Here it
  /// may be of a type that cannot be copied, and so it is not.
  @inlinable @inline(__always)
  package func lend<Result>(_ index: Int, to body: (borrowing Element) -> Result) -> Result {
    body((baseAddress.unsafelyUnwrapped + index).pointee)
  }

  /// The same for a predicate.
  @inlinable @inline(__always)
  package func lend(_ index: Int, to body: (borrowing Element) -> Bool) -> Bool {
    body((baseAddress.unsafelyUnwrapped + index).pointee)
  }

  /// The same for a body without a result.
  @inlinable @inline(__always)
  package func lend(_ index: Int, to body: (borrowing Element) -> Void) {
    body((baseAddress.unsafelyUnwrapped + index).pointee)
  }

  /// The same for a body that may throw.
  @inlinable @inline(__always)
  package func lend<Result>(
    _ index: Int, to body: (borrowing Element) throws -> Result
  ) rethrows -> Result {
    try body((baseAddress.unsafelyUnwrapped + index).pointee)
  }
}

extension Downstream {
  /// Delivers the results of `transform` for a batch, in batches of at most ``batchCapacity(of:)``.
  @inlinable
  func receive<Source>(
    mapping batch: UnsafeBufferPointer<Source>, _ transform: (borrowing Source) -> Input
  ) -> Subscribers.Demand {
    let capacity = batchCapacity(of: Input.self)
    return withUnsafeTemporaryAllocation(of: Input.self, capacity: capacity) { buffer in
      let results = buffer.baseAddress.unsafelyUnwrapped
      var demand = Subscribers.Demand.none
      var start = 0
      while start < batch.count {
        let count = min(batch.count - start, capacity)
        for index in 0..<count {
          (results + index).initialize(to: batch.lend(start + index, to: transform))
        }
        demand += deliver(UnsafeBufferPointer(start: results, count: count))
        results.deinitialize(count: count)
        start += count
      }
      return demand
    }
  }

  /// Delivers the results of `transform` that are not nil, in batches of at most ``batchCapacity(of:)``; adds
  /// `dropped` to the demand for each that is nil.
  ///
  /// If `transform` throws, the results so far are delivered before the error is thrown on; they are dropped if it
  /// has ended the stream meanwhile.
  @inlinable
  func receive<Source>(
    compactMapping batch: UnsafeBufferPointer<Source>,
    dropped: Subscribers.Demand,
    while isOpen: () -> Bool = { true },
    _ transform: (borrowing Source) throws -> Input?
  ) rethrows -> Subscribers.Demand {
    try withUnsafeTemporaryAllocation(of: Input.self, capacity: batchCapacity(of: Input.self)) { buffer in
      var gathered = Gathered(base: buffer.baseAddress!)
      for index in 0..<batch.count {
        do {
          guard let result = try batch.lend(index, to: transform) else {
            gathered.demand += dropped
            continue
          }
          gathered.append(result, to: self)
        } catch {
          if isOpen() { gathered.flush(to: self) } else { gathered.drop() }
          throw error
        }
      }
      if isOpen() { gathered.flush(to: self) } else { gathered.drop() }
      return gathered.demand
    }
  }
}

/// Results on their way to a downstream, in memory borrowed from the stack.
@frozen
@usableFromInline
package struct Gathered<Value> {
  @usableFromInline let base: UnsafeMutablePointer<Value>
  @usableFromInline var count = 0
  /// What the downstream has returned so far.
  @usableFromInline package var demand = Subscribers.Demand.none

  @inlinable @inline(__always)
  package init(base: UnsafeMutablePointer<Value>) { self.base = base }

  @inlinable @inline(__always)
  package mutating func append<Failure>(_ value: Value, to downstream: Downstream<Value, Failure>) {
    (base + count).initialize(to: value)
    count += 1
    if count == batchCapacity(of: Value.self) { flush(to: downstream) }
  }

  @inlinable @inline(__always)
  package mutating func flush<Failure>(to downstream: Downstream<Value, Failure>) {
    guard count > 0 else { return }
    demand += downstream.receive(contentsOf: UnsafeBufferPointer(start: base, count: count))
    drop()
  }

  @inlinable @inline(__always)
  mutating func drop() {
    base.deinitialize(count: count)
    count = 0
  }
}
