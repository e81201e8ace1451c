import Synchronization

/// Signals from a subject to its subscribers, one at a time.
@usableFromInline package class Broadcast<Output, Failure: Error>: BroadcastCore {
  /// Written once, under the lock, before the state says that the subject has completed.
  private let completion = Cell<Subscribers.Completion<Failure>?>(nil)

  @usableFromInline
  override init(_ kind: SubjectKind) { super.init(kind) }

  /// Connects a subscriber. `subject`, which owns the broadcast or is the broadcast, is kept alive until the
  /// connection ends.
  @inlinable
  final func attach(_ downstream: consuming Downstream<Output, Failure>, to subject: AnyObject) {
    attach(Lane(self, subject: subject, downstream: downstream))
  }

  /// Delivers a batch to every conduit when it is this thread's turn.
  @inlinable @inline(__always)
  final func send(_ batch: UnsafeBufferPointer<Output>) {
    // Written out, so that little enough is left for callers to have it in their own code.
    guard serializer.gate.enterIfFree() else { return sendInTurn(batch) }
    deliver(batch)
    serializer.leave()
  }

  /// Delivers a value. The gate's part is outside of the closure: inside, it would make that a function of its own.
  @inlinable @inline(__always)
  final func send(_ value: Output) {
    guard serializer.gate.enterIfFree() else { return withUnsafePointer(to: value) { sendInTurn(one($0)) } }
    withUnsafePointer(to: value) { deliver(one($0)) }
    serializer.leave()
  }

  @inlinable @inline(never)
  final func sendInTurn(_ batch: UnsafeBufferPointer<Output>) {
    serializer.run({ deliver(batch) }, refused: { enqueue(batch) })
  }

  @inlinable @inline(__always)
  final func deliver(_ batch: UnsafeBufferPointer<Output>) {
    list.forEach { reference in
      Unmanaged<Lane<Output, Failure>>.fromOpaque(reference.toOpaque())
        ._withUnsafeGuaranteedRef { $0.offer(batch) }
    }
  }

  @usableFromInline @inline(never)
  final func enqueue(_ batch: UnsafeBufferPointer<Output>) {
    serializer.submit(copyOf: batch) { [self] in deliver($0) }
  }

  /// Completes every conduit, once.
  final func complete(_ completion: Subscribers.Completion<Failure>) {
    let isFirst = state.withLock { state in
      guard !state.isCompleted else { return false }
      self.completion.value = completion
      state.isCompleted = true
      isCompleted.store(true, ordering: .releasing)
      return true
    }
    if isFirst { serializer.perform { [self] in finishAll() } }
  }

  override final func finish(_ conduit: Conduit) {
    guard let completion = completion.value else { return }
    lane(conduit).downstream.receive(completion: completion)
  }

  final func lane(_ conduit: Conduit) -> Lane<Output, Failure> {
    unsafeDowncast(conduit, to: Lane<Output, Failure>.self)
  }
}
