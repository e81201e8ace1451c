import StreamsShims

/// How far a batch has come at one place on its way, for as long as it is being delivered there.
///
/// To everybody a batch looks as if its values had come one by one, also when somebody acts amid it: sends, subscribes,
/// cancels or ends a stream in a callback. So whoever keeps a state from value to value gets the values *in step*: one is
/// told to everybody further down before the next. Operators without a state, such as `map`, run ahead, and note which
/// value each of their results was made of; a subject that sends to one subscriber gives it all values at once. When
/// somebody acts, what has been noted tells the subject which value is being told, and from then on those who have
/// subscribed meanwhile get each value in step with the first.
///
/// The records of a thread are in a list (`streams_batches.h`); those of one batch's way are linked from below, by
/// ``upstream``.
@frozen
@usableFromInline
package struct BatchProgress {
  @usableFromInline package typealias Pointer = UnsafeMutablePointer<BatchProgress>

  /// The next outer record of the thread.
  @usableFromInline let outer: Pointer?
  /// The record of whoever delivers this batch, and where the batch begins in what that delivers.
  @usableFromInline var upstream: Pointer?
  @usableFromInline var offset: Int

  /// The number of the value in the batch that is being told, or that something is being made of.
  @usableFromInline package var index = 0
  /// Where that value lies, if the number is not noted: the address of an address, and the first value's.
  @usableFromInline var current: UnsafePointer<UnsafeRawPointer?>?
  @usableFromInline var base: UnsafeRawPointer?
  /// Up to which value results may be made ahead of their delivery: 0 once somebody has acted.
  @usableFromInline package var ahead = 0
  /// Whether somebody has acted while the batch was being delivered.
  @usableFromInline package var hasActed: Bool
  /// Whether what was gathered before a closure acted has ended the stream: what the closure returns is not wanted.
  @usableFromInline package var hasEndedMeanwhile = false

  /// What is being delivered further down, if more than one value is: where it lies and where it ends.
  @usableFromInline var start: UnsafeRawPointer?
  @usableFromInline var end: UnsafeRawPointer?
  @usableFromInline var stride = 1
  /// The numbers of the values that the results were made of; where it is nil, they follow each other from `first` on.
  @usableFromInline var origins: UnsafePointer<Int32>?
  @usableFromInline var first = 0

  /// Delivers what has been gathered: called with `gathered` before somebody acts.
  @usableFromInline var flush: ((UnsafeMutableRawPointer) -> Void)?
  @usableFromInline var gathered: UnsafeMutableRawPointer?

  /// To whom a subject sends the batch, and, once somebody has acted, who tells the others.
  @usableFromInline var target: Unmanaged<BatchTarget>?
  @usableFromInline var source: Unmanaged<BatchSource>?
  /// By which subscription of a subject's the batch comes, if by one: an ``UpstreamLink``.
  @usableFromInline var link: Unmanaged<AnyObject>?

  @usableFromInline
  init(outer: Pointer?, upstream: Pointer?, offset: Int) {
    self.outer = outer
    self.upstream = upstream
    self.offset = offset
    hasActed = upstream?.pointee.hasActed ?? false
  }

  /// The latest record of this thread that has not ended.
  static var latest: Pointer? {
    UnsafeMutableRawPointer(streams_batch_latest())?.assumingMemoryBound(to: BatchProgress.self)
  }

  /// Begins to keep a record of values that begin at `address`, as part of the way that they have come.
  @usableFromInline @inline(never)
  package static func begin(at address: UnsafeRawPointer?, base: UnsafeRawPointer? = nil) -> Pointer {
    let latest = self.latest
    var upstream: Pointer?
    var offset = 0
    if let latest, let address, latest.pointee.delivers(address), let start = latest.pointee.start {
      upstream = latest
      offset = (address - start) / latest.pointee.stride
    }
    let record = UnsafeMutableRawPointer(streams_batch_begin()!).assumingMemoryBound(to: BatchProgress.self)
    record.initialize(to: BatchProgress(outer: latest, upstream: upstream, offset: offset))
    return record
  }

  /// Notes what is being delivered further down.
  @inlinable @inline(__always)
  package mutating func begin<Value>(delivering values: UnsafeBufferPointer<Value>) {
    start = UnsafeRawPointer(values.baseAddress)
    stride = MemoryLayout<Value>.stride
    end = start.map { $0 + values.count * stride }
  }

  /// Has the number of the value that something is made of found from where it lies: `current` is the address of its address.
  package mutating func follow<Value>(
    _ current: UnsafePointer<UnsafeRawPointer?>, in batch: UnsafeBufferPointer<Value>
  ) {
    self.current = current
    base = UnsafeRawPointer(batch.baseAddress)
    stride = MemoryLayout<Value>.stride
  }

  /// Whether what lies at `address` is being delivered further down.
  private func delivers(_ address: UnsafeRawPointer) -> Bool {
    guard let start, let end else { return false }
    return address >= start && address < end
  }

  /// The first record of the way to another.
  private static func root(of record: Pointer) -> Pointer {
    var root = record
    while let upstream = root.pointee.upstream { root = upstream }
    return root
  }

  @inlinable @inline(__always)
  package mutating func endDelivering() { (start, end) = (nil, nil) }

  @usableFromInline @inline(never)
  package static func end(_ record: Pointer) {
    record.pointee.source?.release()
    record.deinitialize(count: 1)
    streams_batch_end(UnsafeMutableRawPointer(record).assumingMemoryBound(to: streams_batch.self))
  }
}

// MARK: - When somebody acts

extension BatchProgress {
  /// To be called before something is done that single values would have been affected by: what has been gathered on this
  /// thread is delivered, and who sends a batch learns which value is being told.
  ///
  /// What is done may be to pass on a batch that begins at `address`, and that is being delivered already: its own values
  /// have not been told by that.
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

  /// Delivers what has been gathered on this thread: to be called before something is done that may be told further down.
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
    if isCut(above: record) { return false }
    var next: Pointer? = record
    while let each = next {
      if each.pointee.target?._withUnsafeGuaranteedRef({ $0.isOver }) == true { return false }
      next = each.pointee.upstream
    }
    return true
  }

  /// The same, where nearly always nothing has been: for whoever sends a value, which may join the results further down.
  @inlinable @inline(__always)
  package static func deliverGatheredIfAny() {
    if _slowPath(streams_is_gathering()) { deliverGathered() }
  }

  /// The number of this thread, which sends a value when it has delivered what it has gathered.
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

  /// The value that is being told or worked on, as a number in the batch of a record that has nothing below it.
  private static func number(in record: Pointer) -> Int {
    if let number = record.pointee.source?._withUnsafeGuaranteedRef({ $0.beingTold }) { return number }
    if let start = record.pointee.start, let end = record.pointee.end {
      // Whoever it is delivered to takes it as a whole.
      return record.pointee.number(of: (end - start) / record.pointee.stride - 1)
    }
    if let current = record.pointee.current?.pointee, let base = record.pointee.base {
      return (current - base) / record.pointee.stride
    }
    return record.pointee.index
  }

  /// The number of the value that a result was made of.
  private func number(of result: Int) -> Int { origins.map { Int($0[result]) } ?? first + result }

  private mutating func madeSource() -> BatchSource? {
    if let source { return source.takeUnretainedValue() }
    guard let target, let start else { return nil }
    let made = target._withUnsafeGuaranteedRef { $0.source(of: start) }
    source = .passRetained(made)
    return made
  }

  /// Calls `body` with each of those who tell others of batches that this thread delivers.
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
      current.pointee.ahead = 0
      each = current == root ? nil : current.pointee.upstream
    }
    return root
  }

  /// Calls `body` with each subject on the way to a record, and with the number that a value of the record's has there.
  /// Returns the first record of the way.
  @discardableResult
  private static func forEachSource(
    above record: Pointer, _ number: Int, _ body: (BatchSource, Int) -> Void
  ) -> Pointer {
    var (record, number) = (record, number)
    while true {
      if let source = record.pointee.madeSource() { body(source, number) }
      guard let upstream = record.pointee.upstream else { return record }
      number = upstream.pointee.number(of: record.pointee.offset + number)
      record = upstream
    }
  }

  /// After somebody has acted: to be called before the next value is told. Returns false if it is not wanted any more.
  @usableFromInline @inline(never)
  package static func willTell(_ record: Pointer) -> Bool {
    if isCut(above: record) { return false }
    var isWanted = true
    forEachSource(above: record, record.pointee.index) { source, number in
      source.reach(number)
      if source.hasEnded { isWanted = false }
    }
    return isWanted
  }

  /// Whether a subject has cancelled a subscription by which the batch comes: nobody below is told of further values.
  static func isCut(above record: Pointer) -> Bool {
    var next: Pointer? = record
    while let each = next {
      if (each.pointee.link?.takeUnretainedValue() as? any UpstreamLink)?.hasEnded == true { return true }
      next = each.pointee.upstream
    }
    return false
  }

  /// After somebody has acted: to be called when a value has been told. Returns whether the next, of so many, is to be told.
  @usableFromInline @inline(never)
  package static func canGoOn(_ record: Pointer, to index: Int, of count: Int) -> Bool {
    forEachSource(above: record, record.pointee.index) { source, number in source.tell(upTo: number) }
    record.pointee.index = index
    return index < count && willTell(record)
  }
}

// MARK: - In step

extension UnsafeBufferPointer {
  /// Calls `tell` with the number of each value, the next only when everything is done that the one before has led to
  /// further down, and keeps the record that tells a subject how far it has come.
  @inlinable @inline(__always)
  package func inStep(
    while isOpen: () -> Bool = { true }, _ tell: (Int) -> Subscribers.Demand
  ) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    forEachInStep(while: isOpen) { demand += tell($0) }
    return demand
  }

  /// Does so for who demands nothing more.
  @inlinable @inline(__always)
  package func forEachInStep(while isOpen: () -> Bool = { true }, _ tell: (Int) -> Void) {
    let record = BatchProgress.begin(at: UnsafeRawPointer(baseAddress))
    var index = 0
    if count > 0, !_slowPath(record.pointee.hasActed) || BatchProgress.willTell(record) {
      repeat {
        tell(index)
        index &+= 1
        if _slowPath(record.pointee.hasActed), !BatchProgress.canGoOn(record, to: index, of: count) { break }
        record.pointee.index = index
      } while index < count && isOpen()
    }
    BatchProgress.end(record)
  }

  /// A batch of the value of this number.
  @inlinable @inline(__always)
  package func single(_ index: Int) -> UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: baseAddress.unsafelyUnwrapped + index, count: 1)
  }
}

extension Subscriber {
  /// Receives the values of a batch one by one, in step.
  @inlinable @inline(never)
  package func receive(inStep batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    batch.inStep { receive(contentsOf: batch.single($0)) }
  }
}
