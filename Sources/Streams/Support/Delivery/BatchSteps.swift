extension UnsafeBufferPointer {
  /// Calls `deliver` with the number of each value, the next only when the one before has been handled completely
  /// downstream, and keeps the record from which a subject learns the progress.
  @inlinable @inline(__always)
  package func inStep(
    while isOpen: () -> Bool = { true }, _ deliver: (Int) -> Subscribers.Demand
  ) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    forEachInStep(while: isOpen) { demand += deliver($0) }
    return demand
  }

  /// Calls `deliver` in step, for receivers that return no demand. What is left when the receiver has ended is refused.
  @inlinable @inline(__always)
  package func forEachInStep(while isOpen: () -> Bool = { true }, _ deliver: (Int) -> Void) {
    let record = BatchProgress.begin(at: UnsafeRawPointer(baseAddress))
    var index = 0
    if count > 0, !_slowPath(record.pointee.isChecked) || BatchProgress.isWanted(record) {
      repeat {
        deliver(index)
        index &+= 1
        if _slowPath(record.pointee.isChecked), !BatchProgress.canGoOn(record, to: index, of: count) { break }
        record.pointee.index = index
      } while index < count && (isOpen() || Subscribers.Demand.refusesRest())
    }
    BatchProgress.end(record)
  }

  /// Calls `deliver` in step, for a subject: until the subscription is cancelled through which the batch comes, if it comes
  /// from a publisher. Another thread may do that.
  func forEachWhileConnected(_ isOpen: () -> Bool = { true }, _ deliver: (Int) -> Void) {
    let link = BatchProgress.link(of: UnsafeRawPointer(baseAddress))
    forEachInStep(while: { link?.hasEnded != true && isOpen() }, deliver)
  }

  /// A batch of the value with this number.
  @inlinable @inline(__always)
  package func single(_ index: Int) -> UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: baseAddress.unsafelyUnwrapped + index, count: 1)
  }
}

extension Subscriber {
  /// Receives the values of a batch one by one, in step.
  @inlinable
  package func receive(inStep batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    BatchProgress.inStep(at: UnsafeRawPointer(batch.baseAddress), count: batch.count) {
      receive(contentsOf: batch.single($0))
    }
  }
}

extension BatchProgress {
  /// As ``UnsafeBufferPointer/inStep(while:_:)``, one function for all types: specialized for each subscriber, it was the
  /// largest part of what programs compile.
  @usableFromInline @inline(never)
  static func inStep(
    at start: UnsafeRawPointer?, count: Int, _ deliver: (Int) -> Subscribers.Demand
  ) -> Subscribers.Demand {
    UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count).inStep(deliver)
  }

  /// As ``inStep(at:count:_:)``, for a subscriber that does not know whether it has ended: another thread may cancel its stream.
  @usableFromInline @inline(never)
  static func inStepWhileOpen(
    at start: UnsafeRawPointer?, count: Int, _ deliver: (Int) -> Subscribers.Demand
  ) -> Subscribers.Demand {
    guard let target = target(of: start) else { return inStep(at: start, count: count, deliver) }
    let batch = UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    return batch.inStep(while: { !target._withUnsafeGuaranteedRef { $0.hasEnded } }, deliver)
  }
}
