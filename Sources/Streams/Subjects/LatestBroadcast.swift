/// Signals from a subject that keeps its latest value.
@usableFromInline
final class LatestBroadcast<Output, Failure: Error>: Broadcast<Output, Failure> {
  /// The value. Used under the lock.
  @usableFromInline let latest: Cell<Output>

  @inlinable
  init(_ kind: SubjectKind, _ value: Output) {
    latest = Cell(value)
    super.init(kind)
  }

  @inlinable
  var value: Output {
    BatchProgress.deliverGatheredIfAny()
    return current
  }

  /// The stored value; what this thread has gathered is not delivered first.
  @inlinable
  var current: Output { state.withLock { _ in latest.value } }

  /// Replaces the value and delivers the new one.
  ///
  /// After the completion nothing is delivered, and the value is replaced only if `always` is true. Both steps happen
  /// in turn: no value overtakes one that was set before it, so no subscriber is left with an older one.
  ///
  /// Returns false if the subject has completed.
  @inlinable @inline(__always) @discardableResult
  func update(_ value: Output, always: Bool = false) -> Bool {
    _withUnprotectedUnsafePointer(to: value) { update(one: one($0), always: always) }
  }

  @inlinable @inline(never)
  func updateInTurn(_ batch: UnsafeBufferPointer<Output>, always: Bool) -> Bool {
    var isSent = false
    let replaced = serializer.runSending(
      {
        replace(by: batch[0], always: always) {
          isSent = true
          deliver(one: batch)
        }
      },
      busy: {
        isSent = leave(batch, always: always)
        return nil
      })
    withExtendedLifetime(replaced) {}
    return isSent
  }

  /// Replaces and delivers each of several values, or one. Returns false if the subject has completed.
  @inlinable @inline(__always) @discardableResult
  func update(each batch: UnsafeBufferPointer<Output>) -> Bool {
    batch.isSingle ? update(one: batch) : update(several: batch)
  }

  /// `update(_:)` with a value where it is: it is copied only to be kept.
  @inlinable @inline(__always)
  func update(one batch: UnsafeBufferPointer<Output>, always: Bool = false) -> Bool {
    // The gate is entered and left outside of the closures, as in `send`.
    guard _fastPath(serializer.enterIfFree()) else { return updateInTurn(batch, always: always) }
    var isSent = false
    let replaced = replace(by: batch[0], always: always) {
      isSent = true
      deliver(one: batch)
    }
    serializer.leave()
    // Releasing it may run the user's code, so that happens here, after the turn.
    withExtendedLifetime(replaced) {}
    return isSent
  }

  /// Stores and delivers one value after the other. If all subscribers take whole batches, they get the batch, and only
  /// the last value is stored.
  @usableFromInline @inline(never)
  func update(several batch: UnsafeBufferPointer<Output>) -> Bool {
    BatchProgress.deliverGatheredIfAny()
    var isSent = false
    let replaced = serializer.run(
      {
        isSent = !isCompleted.load(ordering: .relaxed)
        return isSent ? replace(by: batch) : []
      },
      busy: {
        isSent = leave(batch, always: false)
        return []
      })
    withExtendedLifetime(replaced) {}
    return isSent
  }

  /// In turn, unless the subject has completed before. Returns what was replaced.
  private func replace(by batch: UnsafeBufferPointer<Output>) -> [Output] {
    if allTakePieces {
      let last = batch[batch.count - 1]
      return replace(by: last, always: false, wasLeft: true) { deliver(batch) }.map { [$0] } ?? []
    }
    var replaced: [Output] = []
    batch.forEachWhileConnected({ !isEnding.value }) { index in
      let old = replace(by: batch[index], always: false, wasLeft: true) { deliver(batch.single(index)) }
      if !_isPOD(Output.self), let old { replaced.append(old) }
    }
    return replaced
  }

  /// Leaves a batch to the thread that is sending. A completion that is sent later is left behind it. Returns false if the
  /// subject has completed.
  @usableFromInline @inline(never)
  func leave(_ batch: UnsafeBufferPointer<Output>, always: Bool) -> Bool {
    let isLeft = enqueue(batch) { [self] batch in replaceLeft(by: batch, always: always, isOpen: true) }
    if !isLeft, always {
      serializer.enqueue(copyOf: batch) { [self] in replaceLeft(by: $0, always: true, isOpen: false) }
    }
    if isLeft || always { storeIfOwn(batch[batch.count - 1]) }
    return isLeft
  }

  /// In turn, with each value. `isOpen` tells whether the subject had not completed when the batch was left.
  private func replaceLeft(by batch: UnsafeBufferPointer<Output>, always: Bool, isOpen: Bool) {
    let replaced = replace(by: batch[0], always: always, wasLeft: isOpen) { deliver(batch) }
    if let replaced, !_isPOD(Output.self) { serializer.retire(replaced) }
  }

  /// Stores a value that this thread leaves to itself, as it may while it delivers what others have
  /// left: reading then returns what it has sent. The value is stored again when it is delivered.
  private func storeIfOwn(_ latestValue: Output) {
    guard serializer.isEntered else { return }
    var value = latestValue
    state.withLock { _ in swap(&value, &latest.value) }
    if !_isPOD(Output.self) { serializer.retire(value) }
  }

  /// Sends a piece, and stores its last value.
  override func send(_ piece: any _Piece<Output>) -> Bool {
    BatchProgress.deliverGatheredIfAny()
    var isSent = false
    let replaced = serializer.run(
      { deliver(piece, isLeft: false, &isSent) },
      busy: {
        isSent = enqueue(piece) { [self] piece in
          var isSent = false
          _ = deliver(piece, isLeft: true, &isSent)
        }
        return nil
      })
    withExtendedLifetime(replaced) {}
    return isSent
  }

  /// In turn. It does not enter again: other signals that were left would then be sent before it.
  private func deliver(_ piece: any _Piece<Output>, isLeft: Bool, _ isSent: inout Bool) -> Output? {
    guard isLeft || !isCompleted.load(ordering: .relaxed) else { return nil }
    isSent = true
    guard isTaken else {
      piece.forEachPage { page in
        BatchProgress.deliverGatheredIfAny()
        _ = replace(by: page)
        return !isEnding.value
      }
      return nil
    }
    return replace(by: piece.last, always: false, wasLeft: true) { deliver(piece) }
  }

  /// Replaces the value, and calls `deliver` unless the subject has completed. Returns what was replaced.
  @inlinable @inline(__always)
  func replace(
    by latestValue: Output, always: Bool, wasLeft: Bool = false, _ deliver: () -> Void
  ) -> Output? {
    var value = latestValue
    let isOpen = state.withLockInPlace { state in
      let isOpen = wasLeft || !state.isCompleted
      if isOpen || always { swap(&value, &latest.value) }
      return isOpen
    }
    if isOpen { deliver() }
    return value
  }

  /// Delivers the value and then stores it, so that subscribers still read the old one. For a subject that never
  /// completes. Afterwards `value` holds the replaced one. Returns false if `busy` has left the value to the thread
  /// that is sending.
  @inlinable @inline(__always)
  func publish(_ value: inout Output, busy: (UnsafePointer<Output>) -> Void) -> Bool {
    withUnsafeMutablePointer(to: &value) { value in
      serializer.runSending(
        {
          deliver(one(value))
          keep(value)
          return true
        },
        busy: {
          busy(UnsafePointer(value))
          return false
        })
    }
  }

  /// Leaves a value to the thread that is sending, which calls `afterwards` when it has stored the value.
  @usableFromInline @inline(never)
  func leave(_ value: UnsafePointer<Output>, afterwards: @escaping () -> Void) {
    storeIfOwn(value.pointee)
    serializer.enqueue(copyOf: one(value)) { [self] batch in
      var value = batch[0]
      deliver(batch)
      keep(&value)
      afterwards()
    }
  }

  @inlinable @inline(__always)
  func keep(_ value: UnsafeMutablePointer<Output>) {
    state.withLock { _ in swap(&value.pointee, &latest.value) }
  }

  override func deliverLatest(to conduit: Conduit) {
    guard conduit.has(Conduit.Mark.behind),
      !conduit.has(Conduit.Mark.handshake | Conduit.Mark.missedEnd | Conduit.Mark.ended),
      conduit.demand.take(upTo: 1) == 1
    else { return }
    let latest = value
    let lane = lane(conduit)
    lane.catchUp()
    conduit.add(lane.downstream.receive(latest))
  }
}
