import StreamsShims

/// How many results an operator gathers on the stack before it passes them on: 64, if they fit into the kilobyte beyond
/// which a temporary allocation uses the heap.
@inlinable @inline(__always)
package func batchCapacity<Value>(of type: Value.Type) -> Int {
  max(1, min(64, 1024 / max(1, MemoryLayout<Value>.stride)))
}

/// A batch of one value.
///
/// A value of size zero, such as `()`, has no address: `withUnsafePointer` may give anything. A batch needs one, since
/// the standard library reads a byte for each of these values when it copies them.
@inlinable @inline(__always)
package func one<Value>(_ value: UnsafePointer<Value>) -> UnsafeBufferPointer<Value> {
  let isSomewhere = MemoryLayout<Value>.size > 0
  let start = isSomewhere ? value : nowhere.assumingMemoryBound(to: Value.self)
  return UnsafeBufferPointer(start: start, count: 1)
}

/// The address of values of size zero.
@usableFromInline
nonisolated(unsafe) let nowhere = UnsafeRawPointer(
  UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))

/// Delivers the values of a batch one by one with `deliver`, the next one only if the subscription has not ended: an
/// upstream that sends single values would stop then.
@inlinable @inline(__always)
package func deliver<Value>(
  singly batch: UnsafeBufferPointer<Value>, until upstream: borrowing SubscriptionSlot,
  _ deliver: (Value) -> Subscribers.Demand
) -> Subscribers.Demand {
  if batch.isSingle { return batch.lend(0, to: deliver) }
  return batch.inStep(while: { upstream.phase != .ended }) { batch.lend($0, to: deliver) }
}

extension UnsafeBufferPointer {
  /// Whether this is a batch of one. The code for a single value is laid out first, without a jump.
  @inlinable @inline(__always)
  package var isSingle: Bool { _fastPath(count == 1) }
}

// One overload for each form of body. A body of another form is called through a thunk, and in specialized code a thunk
// takes the element by value, which copies it.
extension UnsafeBufferPointer where Element: ~Copyable {
  /// Calls `body` with an element in place.
  ///
  /// A subscript would copy the element for the call, and so retain and release what it refers to. Here the element's
  /// type may be noncopyable, so the compiler makes no copy.
  @inlinable @inline(__always)
  package func lend<Result>(_ index: Int, to body: (borrowing Element) -> Result) -> Result {
    body((baseAddress.unsafelyUnwrapped + index).pointee)
  }

  /// Calls a predicate with an element in place.
  @inlinable @inline(__always)
  package func lend(_ index: Int, to body: (borrowing Element) -> Bool) -> Bool {
    body((baseAddress.unsafelyUnwrapped + index).pointee)
  }

  /// Calls a body without a result with an element in place.
  @inlinable @inline(__always)
  package func lend(_ index: Int, to body: (borrowing Element) -> Void) {
    body((baseAddress.unsafelyUnwrapped + index).pointee)
  }

  /// Calls a body that may throw with an element in place.
  @inlinable @inline(__always)
  package func lend<Result>(
    _ index: Int, to body: (borrowing Element) throws -> Result
  ) rethrows -> Result {
    try body((baseAddress.unsafelyUnwrapped + index).pointee)
  }
}

extension Downstream {
  /// Delivers the results of `transform` for a batch, in batches of at most ``batchCapacity(of:)``.
  ///
  /// The closure is called for several values before their results are passed on. When it acts, the results so far are
  /// delivered first.
  @inlinable
  func receive<Source>(
    mapping batch: UnsafeBufferPointer<Source>, _ transform: (borrowing Source) -> Input
  ) -> Subscribers.Demand {
    withUnsafeTemporaryAllocation(of: Input.self, capacity: batchCapacity(of: Input.self)) { buffer in
      gather(from: batch, in: buffer.baseAddress.unsafelyUnwrapped, origins: nil) { gathered, _ in
        gathered.makeEach(of: batch.count) {
          gathered.append(batch.lend($0, to: transform))
          return true
        }
      }
    }
  }

  /// Delivers the results of `transform` that are not nil, in batches of at most ``batchCapacity(of:)``; adds
  /// `dropped` to the demand for each that is nil.
  @inlinable @inline(__always)
  func receive<Source>(
    compactMapping batch: UnsafeBufferPointer<Source>, dropped: Subscribers.Demand,
    _ transform: (borrowing Source) -> Input?
  ) -> Subscribers.Demand {
    receive(compactMapping: batch, dropped: dropped, transform, fail: { _ in })
  }

  /// Delivers the results of a `transform` that may throw.
  ///
  /// If `transform` throws, the results so far are delivered before `fail` is called, which must end the stream; they
  /// are dropped if the stream has ended already.
  @inlinable
  func receive<Source>(
    compactMapping batch: UnsafeBufferPointer<Source>,
    dropped: Subscribers.Demand,
    while isOpen: () -> Bool = { true },
    _ transform: (borrowing Source) throws -> Input?,
    fail: (any Error) -> Void
  ) -> Subscribers.Demand {
    let capacity = batchCapacity(of: Input.self)
    return withUnsafeTemporaryAllocation(of: Input.self, capacity: capacity) { buffer in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: capacity) { origins in
        gather(
          from: batch, in: buffer.baseAddress.unsafelyUnwrapped, origins: origins.baseAddress
        ) { gathered, record in
          gathered.makeEach(of: batch.count, while: isOpen) { index in
            do {
              if let result = try batch.lend(index, to: transform) {
                gathered.append(result, madeOf: index)
              } else {
                gathered.pointee.demand += dropped
              }
              return true
            } catch {
              if record.pointee.hasEndedMeanwhile {
                gathered.drop()
                return false
              }
              let hadActed = record.pointee.hasActed
              if isOpen() { gathered.flush() } else { gathered.drop() }
              gathered.pointee.demand = .none
              // A callback may have made this value unwanted.
              if !hadActed, record.pointee.hasActed, !BatchProgress.isWanted(record) { return false }
              // The record still exists: a subscriber that joins when the stream fails gets the values after this one.
              fail(error)
              return false
            }
          }
        }
      }
    }
  }

  /// Runs `body` with memory for results and a record of its progress. Returns the demand of the downstream.
  @inlinable @inline(__always)
  func gather<Source>(
    from batch: UnsafeBufferPointer<Source>, in memory: UnsafeMutablePointer<Input>,
    origins: UnsafeMutablePointer<Int32>?,
    _ body: (UnsafeMutablePointer<Gathered<Input>>, BatchProgress.Pointer) -> Void
  ) -> Subscribers.Demand {
    // So that a look at a result that has not been made is noticed.
    assert(
      {
        origins?.initialize(repeating: -1, count: batchCapacity(of: Input.self))
        return true
      }())
    let record = BatchProgress.begin(at: UnsafeRawPointer(batch.baseAddress))
    streams_begin_gathering()
    defer {
      streams_end_gathering()
      BatchProgress.end(record)
    }
    var gathered = Gathered(base: memory, origins: origins, record: record, deliver: deliver)
    return withUnsafeMutablePointer(to: &gathered) { gathered in
      record.pointee.ahead = record.pointee.hasActed ? 0 : batch.count
      record.pointee.origins = UnsafePointer(origins)
      record.pointee.gathered = UnsafeMutableRawPointer(gathered)
      record.pointee.flush = { $0.assumingMemoryBound(to: Gathered<Input>.self).flush() }
      body(gathered, record)
      if origins != nil { BatchProgress.noteRefusalAtEnd(of: batch.count, in: record) }
      return gathered.pointee.demand
    }
  }
}

/// Results on their way to a downstream, in memory borrowed from the stack.
@frozen
@usableFromInline
package struct Gathered<Value> {
  @usableFromInline let base: UnsafeMutablePointer<Value>
  /// For each result the number of the value that it was made of; nil if every value has a result.
  @usableFromInline let origins: UnsafeMutablePointer<Int32>?
  @usableFromInline let record: BatchProgress.Pointer
  @usableFromInline let deliver: (UnsafeBufferPointer<Value>) -> Subscribers.Demand
  @usableFromInline var count = 0
  /// What the downstream has returned so far.
  @usableFromInline var demand = Subscribers.Demand.none

  @inlinable @inline(__always)
  init(
    base: UnsafeMutablePointer<Value>, origins: UnsafeMutablePointer<Int32>?, record: BatchProgress.Pointer,
    deliver: @escaping (UnsafeBufferPointer<Value>) -> Subscribers.Demand
  ) {
    self.base = base
    self.origins = origins
    self.record = record
    self.deliver = deliver
  }
}

// Used by address: while results are made or delivered, a callback may act, and what has been gathered is delivered
// before that.
extension UnsafeMutablePointer {
  /// Calls `make` with the number of each value, and passes the results on: together until a callback acts, and from
  /// then on in step. `make` returns false if it has ended the stream and taken care of the results.
  @inlinable @inline(__always)
  func makeEach<Value>(
    of count: Int, while isOpen: () -> Bool = { true }, _ make: (Int) -> Bool
  ) where Pointee == Gathered<Value> {
    let record = pointee.record
    var index = 0
    while index < record.pointee.ahead {
      guard make(index) else { return }
      index &+= 1
      record.pointee.index = index
    }
    // The results are released after they have been delivered, and may act then: the last value was the last one.
    record.pointee.index = max(index &- 1, 0)
    passOn(while: isOpen)
    if _slowPath(record.pointee.hasActed) { makeInStep(from: index, of: count, while: isOpen, make) }
  }

  /// Calls `make` and passes the results on in step, from the value before which a callback has acted.
  @inlinable @inline(never)
  func makeInStep<Value>(
    from first: Int, of count: Int, while isOpen: () -> Bool, _ make: (Int) -> Bool
  ) where Pointee == Gathered<Value> {
    let record = pointee.record
    guard first > 0 ? BatchProgress.canGoOn(record, to: first, of: count) : BatchProgress.willDeliver(record)
    else { return }
    var index = first
    while make(index) {
      passOn(while: isOpen)
      index &+= 1
      guard BatchProgress.canGoOn(record, to: index, of: count) else { return }
    }
  }

  /// Delivers what has been gathered, or drops it if the stream has ended.
  ///
  /// If the stream has ended during the call that made the only result, it is this thread that has ended it: as with
  /// single values, the result passes nevertheless.
  @inlinable
  func passOn<Value>(while isOpen: () -> Bool) where Pointee == Gathered<Value> {
    let isWanted = isOpen() || pointee.count == 1
    if isWanted, !pointee.record.pointee.hasEndedMeanwhile { flush() } else { drop() }
  }

  @inlinable @inline(__always)
  func append<Value>(_ value: Value) where Pointee == Gathered<Value> {
    (pointee.base + pointee.count).initialize(to: value)
    pointee.count &+= 1
    if pointee.count == batchCapacity(of: Value.self) { flush() }
  }

  @inlinable @inline(__always)
  func append<Value>(_ value: Value, madeOf index: Int) where Pointee == Gathered<Value> {
    pointee.origins.unsafelyUnwrapped[pointee.count] = Int32(truncatingIfNeeded: index)
    append(value)
  }

  @inlinable
  func flush<Value>() where Pointee == Gathered<Value> {
    let count = exchange(&pointee.count, with: 0)
    guard count > 0 else { return }
    let results = UnsafeBufferPointer(start: UnsafePointer(pointee.base), count: count)
    let record = pointee.record
    record.pointee.begin(delivering: results)
    streams_end_gathering()
    let more = pointee.deliver(results)
    streams_begin_gathering()
    record.pointee.endDelivering()
    record.pointee.first = pointee.origins.map { Int($0[count - 1]) + 1 } ?? record.pointee.first &+ count
    pointee.demand += more
    pointee.base.deinitialize(count: count)
  }

  @inlinable
  func drop<Value>() where Pointee == Gathered<Value> {
    pointee.base.deinitialize(count: exchange(&pointee.count, with: 0))
  }
}
