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
    // Written out, so that the fast path is small enough to be inlined into callers.
    guard _fastPath(serializer.enterIfFree()) else {
      sendInTurn(batch)
      return
    }
    deliver(batch)
    serializer.leave()
  }

  /// Sends values, at least one. Returns false, and sends nothing, after the completion.
  @inlinable @inline(__always)
  package final func sendUnlessCompleted(_ batch: UnsafeBufferPointer<Output>) -> Bool {
    guard _fastPath(serializer.enterIfFree()) else { return sendInTurn(batch) }
    let isOpen = _fastPath(!isCompleted.load(ordering: .relaxed))
    if isOpen { deliver(batch) }
    serializer.leave()
    return isOpen
  }

  /// Begins to send, on a thread that has acquired the bias and does other work in the same step. Returns false, and
  /// has done nothing, where the fast path does not apply.
  @inlinable @inline(__always)
  package final func beginSendingBiased() -> Bool {
    !isCompleted.load(ordering: .relaxed) && serializer.enterBiased()
  }

  @inlinable @inline(__always)
  package final func endSendingBiased() -> Bool { serializer.leaveBiased() }

  @inlinable @inline(__always)
  package final func endSending() { serializer.leave() }

  /// Delivers a value. The gate is entered and left outside of the closure, which would not be inlined otherwise.
  @inlinable @inline(__always)
  final func send(_ value: Output) {
    guard serializer.enterIfFree() else {
      withUnsafePointer(to: value) { _ = sendInTurn(one($0)) }
      return
    }
    withUnsafePointer(to: value) { deliver(one: one($0)) }
    serializer.leave()
  }

  /// Returns false, and sends nothing, after the completion: the subject may complete while this thread waits.
  @inlinable @inline(never) @discardableResult
  final func sendInTurn(_ batch: UnsafeBufferPointer<Output>) -> Bool {
    BatchProgress.deliverGatheredIfAny()
    if serializer.isEntered { BatchProgress.noteAction(passing: UnsafeRawPointer(batch.baseAddress)) }
    if isLeft { return enqueue(batch) }
    return BatchProgress.apart(unlessFrom: UnsafeRawPointer(batch.baseAddress)) {
      serializer.run(
        {
          let isOpen = !isCompleted.load(ordering: .relaxed)
          if isOpen { deliver(batch) }
          return isOpen
        }, busy: { enqueue(batch) })
    }
  }

  @inlinable @inline(__always)
  package final func deliver(_ batch: UnsafeBufferPointer<Output>) {
    guard batch.isSingle else { return deliver(several: batch) }
    deliver(one: batch)
  }

  @inlinable @inline(__always)
  final func deliver(one batch: UnsafeBufferPointer<Output>) {
    if let only = only.load(ordering: .acquiring) { offer(batch, to: only) } else { deliverToList(batch) }
  }

  /// Not inlined, so that a send to a single subscriber need not save the registers of a loop.
  @inlinable @inline(never)
  final func deliverToList(_ batch: UnsafeBufferPointer<Output>) {
    let list = self.list
    guard list.count > 0 else { return }
    var slice = ConduitSlice(list)
    while let reference = slice.next() {
      let reached = Unmanaged<Lane<Output, Failure>>.fromOpaque(reference)
        ._withUnsafeGuaranteedRef { $0.offer(batch, to: slice) }
      slice.drop(reached)
    }
  }

  /// Delivers values as if each had been sent alone. They go together to a single subscriber with unlimited demand, and
  /// to several subscribers if all take whole batches.
  @usableFromInline @inline(never)
  final func deliver(several batch: UnsafeBufferPointer<Output>) {
    if let only = only.load(ordering: .acquiring) {
      if only._withUnsafeGuaranteedRef({ $0.isOpen }) { return deliver(batch, together: only) }
      if only._withUnsafeGuaranteedRef({ lane($0).takesPieces }) { return offer(batch, to: only) }
    } else if allTakePieces {
      return deliverToList(batch)
    }
    batch.forEachWhileConnected {
      deliver(one: batch.single($0))
    }
  }

  private func deliver(_ batch: UnsafeBufferPointer<Output>, together only: Unmanaged<Conduit>) {
    let start = UnsafeRawPointer(batch.baseAddress.unsafelyUnwrapped)
    let record = BatchProgress.begin(at: start)
    record.pointee.begin(delivering: batch)
    only._withUnsafeGuaranteedRef {
      record.pointee.target = .passUnretained($0)
      if $0.isOpen {
        _ = lane($0).downstream.receive(contentsOf: batch)
      } else if $0.hasEnded {
        // Another thread has cancelled it since.
        BatchProgress.noteRefusal(of: 0, in: record)
      } else {
        offer(batch, to: only)
      }
    }
    record.pointee.source?._withUnsafeGuaranteedRef {
      $0.finish(batch.count) { BatchProgress.willDeliver(toOthers: $0, of: record) }
    }
    BatchProgress.end(record)
  }

  /// Whether what this thread sends now has to wait until its signal is over. While a subscriber with
  /// limited demand receives a value, it may have no demand, and return some at the end. Until then,
  /// what others have left waits, and what is sent meanwhile comes after it.
  @usableFromInline
  final var isLeft: Bool {
    guard serializer.hasLeftSignals, serializer.isEntered else { return false }
    if let only = only.load(ordering: .acquiring) {
      return only._withUnsafeGuaranteedRef { $0.has(Conduit.Mark.limited) }
    }
    var isLeft = false
    list.forEach { reference in
      isLeft = isLeft || reference._withUnsafeGuaranteedRef { $0.has(Conduit.Mark.limited) }
    }
    return isLeft
  }

  /// Whether all subscribers take whole batches and have unlimited demand.
  final var allTakePieces: Bool {
    var allTakeThem = true
    list.forEach { reference in
      allTakeThem = allTakeThem && reference._withUnsafeGuaranteedRef { $0.isOpen && lane($0).takesPieces }
    }
    return allTakeThem
  }

  override final func offer(_ number: Int, from start: UnsafeRawPointer, to conduit: Unmanaged<Conduit>) {
    let values = UnsafeBufferPointer(start: start.assumingMemoryBound(to: Output.self) + number, count: 1)
    offer(values, to: conduit)
  }

  @inlinable @inline(__always)
  final func offer(_ batch: UnsafeBufferPointer<Output>, to reference: Unmanaged<Conduit>) {
    Unmanaged<Lane<Output, Failure>>.fromOpaque(reference.toOpaque())
      ._withUnsafeGuaranteedRef { $0.offer(batch) }
  }

  @usableFromInline @inline(never)
  final func enqueue(_ batch: UnsafeBufferPointer<Output>) -> Bool {
    enqueue(batch) { [self] in deliver($0) }
  }

  /// Leaves a batch, with the closure to call with each value, to the thread that is sending. Returns false after the
  /// completion.
  final func enqueue(
    _ batch: UnsafeBufferPointer<Output>, _ signal: @escaping (UnsafeBufferPointer<Output>) -> Void
  ) -> Bool {
    leave(Serializer.LeftValues(copyOf: batch, signal))
  }

  /// Leaves values to the thread that is sending. Returns false after the completion, which comes after all that were left
  /// before it.
  private func leave(_ values: Serializer.LeftValues) -> Bool {
    serializer.enqueue(.each(values), unless: { isCompleted.load(ordering: .acquiring) })
  }

  private func leave(_ piece: any _Piece<Output>) -> Bool { enqueue(piece) { [self] in deliver($0) } }

  /// Delivers a piece to every conduit when it is this thread's turn. Returns false, and sends nothing, after the completion.
  func send(_ piece: any _Piece<Output>) -> Bool {
    BatchProgress.deliverGatheredIfAny()
    if serializer.isEntered { BatchProgress.noteAction() }
    if isLeft { return leave(piece) }
    return serializer.run(
      {
        let isOpen = !isCompleted.load(ordering: .relaxed)
        if isOpen { deliver(piece) }
        return isOpen
      }, busy: { leave(piece) })
  }

  /// Whether a piece can be delivered without expanding it into values.
  final var isTaken: Bool {
    if let only = only.load(ordering: .acquiring) {
      return only._withUnsafeGuaranteedRef { lane($0).takesPieces }
    }
    return allTakePieces
  }

  /// Where not all subscribers take pieces, the values are made once for all of them.
  final func deliver(_ piece: any _Piece<Output>) {
    guard isTaken else {
      return piece.forEachPage { page in
        deliver(page)
        return !isEnding.value
      }
    }
    list.forEach { reference in reference._withUnsafeGuaranteedRef { lane($0).offer(piece) } }
  }

  /// Leaves a piece to the thread that is sending, with the closure to call with each value's piece. Returns false after the
  /// completion.
  final func enqueue(_ piece: any _Piece<Output>, _ signal: @escaping (any _Piece<Output>) -> Void) -> Bool {
    let kept = piece.kept()
    return leave(
      Serializer.LeftValues(kept.count) { number in
        signal(kept.part(number, 1))
        return nil
      })
  }

  /// Completes every conduit, once. Returns false if the subject has completed already.
  @discardableResult
  final func complete(_ completion: Subscribers.Completion<Failure>) -> Bool {
    // Before the end: delivers what has been gathered. After it: nothing more is wanted.
    BatchProgress.noteAction()
    let isFirst = state.withLock { state in
      guard !state.isCompleted else { return false }
      self.completion.value = completion
      state.isCompleted = true
      isCompleted.store(true, ordering: .releasing)
      return true
    }
    guard isFirst else { return false }
    if serializer.isEntered { isEnding.value = true }
    BatchProgress.noteAction()
    if isLeft {
      serializer.enqueue { [self] in finishAllInTurn() }
    } else {
      serializer.run { [self] in finishAllInTurn() }
    }
    return true
  }

  /// What another thread has just left, before it could know of the completion, is delivered before the
  /// completion.
  private func finishAllInTurn() {
    _ = serializer.runEarlier()
    finishAll()
  }

  override final func finish(_ conduit: Conduit) {
    guard let completion = completion.value else { return }
    lane(conduit).downstream.receive(completion: completion)
  }

  final func lane(_ conduit: Conduit) -> Lane<Output, Failure> {
    unsafeDowncast(conduit, to: Lane<Output, Failure>.self)
  }
}
