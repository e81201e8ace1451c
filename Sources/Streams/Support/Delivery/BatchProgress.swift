import StreamsShims

/// The progress of a batch at one place on its way, while it is being delivered there.
///
/// A batch looks to every subscriber as if its values had come one by one, even when a callback acts during it: sends,
/// subscribes, cancels or ends a stream. So operators that keep state from value to value get the values *in step*: one
/// is delivered to everything downstream before the next. Operators without state, such as `map`, run ahead, and
/// note which value each of their results was made from; a subject with one subscriber delivers all values together.
/// When a callback acts, these notes show the subject which value is being delivered, and from then on the
/// subscribers that have joined get each value in step with the first subscriber.
///
/// The records of a thread form a list (`streams_batches.h`); those on one batch's way are linked in the upstream
/// direction, by ``upstream``.
@frozen
@usableFromInline
package struct BatchProgress {
  @usableFromInline package typealias Pointer = UnsafeMutablePointer<BatchProgress>

  /// The next outer record of the thread.
  @usableFromInline let outer: Pointer?
  /// The record of the operator or subject that delivers this batch, and where the batch begins in what that delivers.
  @usableFromInline var upstream: Pointer?
  @usableFromInline var offset: Int

  /// The number, in the batch, of the value that is being delivered or transformed.
  @usableFromInline package var index = 0
  /// The address of that value, if its number is not noted: a pointer to its address, and the first
  /// value's address.
  @usableFromInline var current: UnsafePointer<UnsafeRawPointer?>?
  @usableFromInline var base: UnsafeRawPointer?
  /// Up to which value results may be made ahead of their delivery: 0 once a callback has acted.
  @usableFromInline package var ahead = 0
  /// Whether a callback has acted while the batch was being delivered.
  @usableFromInline package var hasActed: Bool
  /// Whether ``canGoOn(_:to:of:)`` must be called for each value: a callback has acted, or a receiver has ended that does
  /// not know of it.
  @usableFromInline package var isChecked: Bool
  /// Whether delivering the results gathered before a closure acted has ended the stream: the closure's own result is
  /// dropped.
  @usableFromInline package var hasEndedMeanwhile = false

  /// The values being delivered downstream, if there is more than one: where they begin and end.
  @usableFromInline var start: UnsafeRawPointer?
  @usableFromInline var end: UnsafeRawPointer?
  @usableFromInline var stride = 1
  /// The numbers of the values that the results were made from; if nil, they are consecutive from `first`.
  @usableFromInline var origins: UnsafePointer<Int32>?
  /// The number of the value after those whose results have been delivered.
  @usableFromInline var first = 0

  /// Delivers what has been gathered: called with `gathered` before a callback acts.
  @usableFromInline var flush: ((UnsafeMutableRawPointer) -> Void)?
  @usableFromInline var gathered: UnsafeMutableRawPointer?

  /// The receiver to which a subject sends the batch, and, once a callback has acted, what delivers to the other
  /// subscribers.
  @usableFromInline var target: Unmanaged<Conduit>?
  @usableFromInline var source: Unmanaged<BatchSource>?
  /// The subject's subscription through which the batch comes, if there is one.
  @usableFromInline var link: Unmanaged<UpstreamLink>?

  @usableFromInline
  init(outer: Pointer?, upstream: Pointer?, offset: Int) {
    self.outer = outer
    self.upstream = upstream
    self.offset = offset
    hasActed = upstream?.pointee.hasActed ?? false
    isChecked = upstream?.pointee.isChecked ?? false
  }

  /// The latest record of this thread that has not ended.
  static var latest: Pointer? { streams_batch_latest().map(record) }

  @inline(__always)
  private static func record(_ batch: UnsafeMutablePointer<streams_batch>) -> Pointer {
    UnsafeMutableRawPointer(batch).assumingMemoryBound(to: BatchProgress.self)
  }

  /// Begins a record of values that begin at `address`, and links it to the record that is delivering them.
  @usableFromInline @inline(never)
  package static func begin(at address: UnsafeRawPointer?, base: UnsafeRawPointer? = nil) -> Pointer {
    let latest = self.latest
    var upstream: Pointer?
    var offset = 0
    if let latest, let address, latest.pointee.delivers(address), let start = latest.pointee.start {
      upstream = latest
      offset = (address - start) / latest.pointee.stride
    }
    let record = self.record(streams_batch_begin()!)
    record.initialize(to: BatchProgress(outer: latest, upstream: upstream, offset: offset))
    return record
  }

  /// Notes the values that are being delivered downstream.
  @inlinable @inline(__always)
  package mutating func begin<Value>(delivering values: UnsafeBufferPointer<Value>) {
    start = UnsafeRawPointer(values.baseAddress)
    stride = MemoryLayout<Value>.stride
    end = start.map { $0 + values.count * stride }
  }

  /// Lets the number of the value being transformed be computed from its address, to which `current` points.
  package mutating func follow<Value>(
    _ current: UnsafePointer<UnsafeRawPointer?>, in batch: UnsafeBufferPointer<Value>
  ) {
    self.current = current
    base = UnsafeRawPointer(batch.baseAddress)
    stride = MemoryLayout<Value>.stride
  }

  /// Whether the value at `address` is being delivered downstream.
  private func delivers(_ address: UnsafeRawPointer) -> Bool {
    guard let start, let end else { return false }
    return address >= start && address < end
  }

  /// The most upstream record on the way to another.
  private static func root(of record: Pointer) -> Pointer {
    var root = record
    while let upstream = root.pointee.upstream { root = upstream }
    return root
  }

  @inlinable @inline(__always)
  package mutating func endDelivering() { (start, end) = (nil, nil) }

  @usableFromInline @inline(never)
  package static func end(_ record: Pointer) {
    let source = record.pointee.source
    record.deinitialize(count: 1)
    streams_batch_end(UnsafeMutableRawPointer(record).assumingMemoryBound(to: streams_batch.self))
    // Its values may act when they are released.
    source?.release()
  }
}

// MARK: - When a callback acts

extension BatchProgress {
  /// Must be called before an action that affects which values are delivered: delivers what this thread has gathered,
  /// and notifies the senders of batches which value is being delivered.
  ///
  /// The action may be to pass on a batch at `address` that is being delivered already: the records on its way are
  /// skipped, since its values have not been delivered yet.
  @usableFromInline @inline(never)
  package static func noteAction(passing address: UnsafeRawPointer? = nil) {
    var next = latest
    if let address, let latest = next, latest.pointee.delivers(address) {
      next = root(of: latest).pointee.outer
    }
    while let record = next {
      deliverGathered(by: record)
      let root = BatchProgress.reach(from: record)
      next = root.pointee.outer
    }
  }

  /// Delivers what this thread has gathered. Must be called before an action that may be delivered downstream.
  @usableFromInline @inline(never)
  package static func deliverGathered() {
    var next = latest
    while let record = next {
      deliverGathered(by: record)
      next = record.pointee.outer
    }
  }

  private static func deliverGathered(by record: Pointer) {
    guard let flush = record.pointee.flush, let gathered = record.pointee.gathered else { return }
    let wasOpen = isOpen(above: record)
    flush(gathered)
    if wasOpen, !isOpen(above: record) { record.pointee.hasEndedMeanwhile = true }
  }

  /// Whether the subjects that send the batch still have the subscribers that they send it to.
  private static func isOpen(above record: Pointer) -> Bool {
    var next: Pointer? = record
    while let each = next {
      if isCut(at: each) { return false }
      if let target = each.pointee.target, target._withUnsafeGuaranteedRef({ $0.hasEnded }) { return false }
      next = each.pointee.upstream
    }
    return true
  }

  /// Delivers what this thread has gathered, at little cost in the usual case that there is nothing. For code that
  /// sends a value, which may meet the results downstream.
  @inlinable @inline(__always)
  package static func deliverGatheredIfAny() {
    if _slowPath(streams_is_gathering()) { deliverGathered() }
  }

  /// The number of this thread, for sending a value: delivers what the thread has gathered first.
  @inlinable @inline(__always)
  package static var sendingThread: UInt32 {
    let thread = streams_number_of_sender()
    return _fastPath(thread != 0) ? thread : sendingThreadWhenGathering
  }

  @usableFromInline @inline(never)
  static var sendingThreadWhenGathering: UInt32 {
    deliverGatheredIfAny()
    return OwnerWord.currentThread
  }

  /// Whether a batch is being delivered on this thread.
  @inline(__always)
  package static var isUnderWay: Bool { streams_batch_latest() != nil }

  /// The number of the value that is being delivered or transformed, in the batch of the most downstream record.
  private static func number(in record: Pointer) -> Int {
    if let number = record.pointee.source?._withUnsafeGuaranteedRef({ $0.beingDelivered }) { return number }
    if let start = record.pointee.start, let end = record.pointee.end {
      // The receiver takes the batch as a whole.
      return record.pointee.number(of: (end - start) / record.pointee.stride - 1)
    }
    if let current = record.pointee.current?.pointee, let base = record.pointee.base {
      return (current - base) / record.pointee.stride
    }
    return record.pointee.index
  }

  /// The number of the value that a result was made of.
  private func number(of result: Int) -> Int {
    guard let origins else { return first + result }
    assert(origins[result] >= 0, "there is no such result")
    return Int(origins[result])
  }

  /// The number of the first value that has not been taken by a receiver that refuses a result: that after the one of which the
  /// result before was made. Those in between have no result.
  private func number(refusing result: Int) -> Int { result == 0 ? first : number(of: result - 1) + 1 }

  private mutating func madeSource() -> BatchSource? {
    if let source { return source.takeUnretainedValue() }
    guard let target, let start else { return nil }
    let made = target._withUnsafeGuaranteedRef { $0.source(of: start) }
    source = .passRetained(made)
    return made
  }

  /// Calls `body` with each source of the batches that this thread delivers.
  static func forEachSource(_ body: (BatchSource) -> Void) {
    var next = latest
    while let record = next {
      record.pointee.source?._withUnsafeGuaranteedRef(body)
      next = record.pointee.outer
    }
  }

  private static func reach(from record: Pointer) -> Pointer {
    let root = forEachSource(above: record, number(in: record)) { source, number in source.reach(number) }
    var each: Pointer? = record
    while let current = each {
      current.pointee.hasActed = true
      current.pointee.isChecked = true
      current.pointee.ahead = 0
      each = current == root ? nil : current.pointee.upstream
    }
    return root
  }

  /// Calls `body` with the source of each subject on the way to a record, and with the number of the record's value
  /// there; with the sources below a subscription that has been cancelled, where nothing is on its way any more, `bodyBelowCut`.
  /// Returns the most upstream record.
  @discardableResult
  private static func forEachSource(
    above record: Pointer, _ number: Int, isRefusal: Bool = false, _ body: (BatchSource, Int) -> Void,
    belowCut bodyBelowCut: (BatchSource) -> Void = { _ in }
  ) -> Pointer {
    var (record, number) = (record, number)
    while true {
      if let source = record.pointee.madeSource() {
        if isCut(above: record) { bodyBelowCut(source) } else { body(source, number) }
      }
      guard let upstream = record.pointee.upstream else { return record }
      number += record.pointee.offset
      number = isRefusal ? upstream.pointee.number(refusing: number) : upstream.pointee.number(of: number)
      record = upstream
    }
  }

  /// Must be called when a receiver that has ended is offered a value, or a batch. If another thread has cancelled it, what is
  /// left goes to whoever has joined on that thread.
  static func noteRefusal() {
    guard let record = latest else { return }
    let isWhole = record.pointee.start != nil
    noteRefusal(of: isWhole ? record.pointee.first : number(in: record), in: record)
  }

  static func noteRefusal(of number: Int, in record: Pointer) {
    forEachSource(above: record, number, isRefusal: true) { $0.refuse($1) }
  }

  /// Must be called when the last results of `count` values have been delivered, if a value may have none: those at the end
  /// are refused if another thread has cancelled the receiver meanwhile.
  @usableFromInline @inline(never)
  static func noteRefusalAtEnd(of count: Int, in record: Pointer) {
    let first = record.pointee.first
    if first < count, !record.pointee.hasActed, !isOpen(above: record) { noteRefusal(of: first, in: record) }
  }

  /// Runs `body`, which sends other values, perhaps from within a delivery: who refuses one of them refuses nothing of the
  /// batch that is being delivered. A value at `address` may still be a part of that.
  @usableFromInline
  static func apart<Result>(unlessFrom address: UnsafeRawPointer? = nil, _ body: () -> Result) -> Result {
    guard let latest, address.map(latest.pointee.delivers) != true else { return body() }
    let record = begin(at: nil)
    defer { end(record) }
    return body()
  }

  /// After a callback has acted: must be called before the next value is delivered. Returns false if that is no longer
  /// wanted.
  @usableFromInline @inline(never)
  package static func willDeliver(_ record: Pointer) -> Bool { willDeliver(record.pointee.index, in: record) }

  private static func willDeliver(_ number: Int, in record: Pointer) -> Bool {
    var isWanted = !isCut(above: record)
    if isWanted {
      forEachSource(above: record, number) { source, number in
        source.reach(number)
        if source.hasEnded { isWanted = false }
      }
    }
    if !isWanted { noteRefusal(of: number, in: record) }
    return isWanted
  }

  /// As ``willDeliver(_:)``, for a subject that delivers the value with this number of the record's batch to subscribers that
  /// have joined: what comes before the subject must be ready for it.
  static func willDeliver(toOthers number: Int, of record: Pointer) -> Bool {
    if isCut(above: record) { return false }
    guard let upstream = record.pointee.upstream else { return true }
    return willDeliver(upstream.pointee.number(of: record.pointee.offset + number), in: upstream)
  }

  /// The receiver to which the nearest subject sends the batch that begins at an address.
  static func target(of address: UnsafeRawPointer?) -> Unmanaged<Conduit>? {
    latest.flatMap { target(of: address, in: $0) }
  }

  private static func target(of address: UnsafeRawPointer?, in latest: Pointer) -> Unmanaged<Conduit>? {
    guard let address, latest.pointee.delivers(address) else { return nil }
    var record = latest
    while record.pointee.target == nil, let upstream = record.pointee.upstream { record = upstream }
    return record.pointee.target
  }

  /// A subject's subscription that is passing a batch to it.
  static func link(of address: UnsafeRawPointer?) -> UpstreamLink? {
    guard let address, let latest, latest.pointee.delivers(address) else { return nil }
    return latest.pointee.link?.takeUnretainedValue()
  }

  /// Whether a subject has cancelled a subscription through which the batch comes: no further values are delivered
  /// below it.
  static func isCut(above record: Pointer) -> Bool {
    var next: Pointer? = record
    while let each = next {
      if isCut(at: each) { return true }
      next = each.pointee.upstream
    }
    return false
  }

  @inline(__always)
  private static func isCut(at record: Pointer) -> Bool {
    record.pointee.link.map { $0._withUnsafeGuaranteedRef { $0.hasEnded } } ?? false
  }

  /// Must be called when a value has been delivered, if the record says so. Returns whether to deliver the value with number
  /// `index`, of `count`.
  @usableFromInline @inline(never)
  package static func canGoOn(_ record: Pointer, to index: Int, of count: Int) -> Bool {
    let hasActed = record.pointee.hasActed
    if hasActed {
      forEachSource(above: record, record.pointee.index, { $0.deliver(upTo: $1) }, belowCut: { $0.catchUp() })
    }
    guard index < count else { return false }
    record.pointee.index = index
    return isWanted(record)
  }

  /// Whether to deliver the record's value, if the record says that it is to be checked.
  @usableFromInline @inline(never)
  package static func isWanted(_ record: Pointer) -> Bool {
    record.pointee.hasActed
      ? willDeliver(record) : isOpen(above: record) || Subscribers.Demand.refusesRest()
  }

  /// Delivers values to a receiver that does not know whether it has ended: another thread may cancel its stream amid the
  /// batch that they are from.
  @inlinable @inline(__always)
  static func deliver<Value>(
    _ values: UnsafeBufferPointer<Value>, _ receive: () -> Subscribers.Demand
  ) -> Subscribers.Demand {
    // One call, so that it is inlined.
    let latest = streams_batch_latest()
    let address = UnsafeRawPointer(values.baseAddress)
    if let latest, hasEnded(receiverOf: address, in: latest) { return .refused() }
    let demand = receive()
    if let latest { checkReceiver(latest) }
    return demand
  }

  /// Whether another thread has ended the receiver. If a callback has acted, it is known already who is to get the values.
  @usableFromInline @inline(never)
  static func hasEnded(
    receiverOf address: UnsafeRawPointer?, in latest: UnsafeMutablePointer<streams_batch>
  ) -> Bool {
    let record = self.record(latest)
    if record.pointee.hasActed { return false }
    return target(of: address, in: record)?._withUnsafeGuaranteedRef { $0.hasEnded } ?? false
  }

  /// Lets those that deliver the batch stop if another thread has ended the receiver.
  @usableFromInline @inline(never)
  static func checkReceiver(_ latest: UnsafeMutablePointer<streams_batch>) {
    let record = self.record(latest)
    if record.pointee.isChecked || isOpen(above: record) { return }
    var next: Pointer? = record
    while let each = next {
      each.pointee.isChecked = true
      next = each.pointee.upstream
    }
  }
}
