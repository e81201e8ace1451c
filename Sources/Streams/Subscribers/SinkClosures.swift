import Synchronization

/// The part of a sink's closures that does not depend on the types of the values.
@usableFromInline
class SinkClosuresBase {
  /// False once the sink has been cancelled or completed.
  @usableFromInline let isActive = Atomic(true)

  @inlinable
  init() {}
}

/// A sink's closures, apart from the sink, so that an upstream can hold them while it delivers.
@usableFromInline
final class SinkClosures<Input, Failure: Error>: SinkClosuresBase {
  @usableFromInline let receiveValue: (Input) -> Void
  @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    receiveValue: @escaping (Input) -> Void,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
  }

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(several: batch) }
    guard isActive.load(ordering: .relaxed) else { return .refused() }
    batch.lend(0, to: receiveValue)
    return .none
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard isActive.load(ordering: .relaxed) else { return .refused() }
    batch.forEachInStep(while: { isActive.load(ordering: .relaxed) }) { batch.lend($0, to: receiveValue) }
    return .none
  }
}
