/// What a combineLatest of publishers of one type stores for one of them: where in the row its latest value is.
@usableFromInline
final class RowBranch<Value>: Branch {
  @usableFromInline let place: Cell<UnsafeMutablePointer<Value>>
  /// Whether the place holds no value.
  @usableFromInline let isVacant = Cell(true)

  @inlinable
  init(_ place: UnsafeMutablePointer<Value>) { self.place = Cell(place) }

  @usableFromInline
  override var isEmpty: Bool { isVacant.value }

  @usableFromInline
  override func takeAll() -> Any? {
    guard !isVacant.value else { return nil }
    isVacant.value = true
    return place.value.move()
  }

  /// Stores a value there, and passes out the one that it replaces.
  @inlinable @inline(__always)
  func put(_ value: UnsafePointer<Value>, _ replaced: inout Value?) {
    if !isVacant.value { replaced = place.value.move() }
    place.value.initialize(to: value.pointee)
    isVacant.value = false
  }
}

/// The subscription of a combineLatest of publishers of one type. The latest values are in a row, so that the
/// transform reads them in place.
///
/// The row must not change while it reads: there is room for two rows, and a value that arrives during that goes to
/// the other one.
@usableFromInline
final class CombineLatestRow<Combining: RowTransform>: CombineLatestCore<Combining.Output, Combining.Failure>
{
  @usableFromInline let combining: Combining
  @usableFromInline let row: Cell<UnsafeMutablePointer<Combining.Element>>
  @usableFromInline let count: Int
  /// Room for two rows.
  @usableFromInline let memory: UnsafeMutablePointer<Combining.Element>
  @usableFromInline let places: [RowBranch<Combining.Element>]

  @inlinable
  init(downstream: Downstream<Combining.Output, Combining.Failure>, count: Int, combining: Combining) {
    let memory = UnsafeMutablePointer<Combining.Element>.allocate(capacity: 2 * count)
    let places = (0..<count).map { RowBranch(memory + $0) }
    self.combining = combining
    self.count = count
    self.memory = memory
    self.places = places
    row = Cell(memory)
    super.init(downstream: downstream, branches: ContiguousArray(places.map { $0 }))
  }

  deinit {
    for branch in places { _ = branch.takeAll() }
    memory.deallocate()
  }

  /// Stores a value.
  @inlinable @inline(__always)
  func keep(
    _ value: UnsafePointer<Combining.Element>, from branch: RowBranch<Combining.Element>,
    _ replaced: inout Combining.Element?
  ) -> Bool {
    if state.value.replaceRow() { move { $0.initialize(to: $1.pointee) } }
    let isFirst = branch.isVacant.value
    branch.put(value, &replaced)
    return state.value.keep(isFirst: isFirst)
  }

  /// Makes a value from the row and delivers it.
  @inlinable @inline(__always)
  func deliverRow() -> Subscribers.Demand {
    state.value.beginMaking()
    let seen = row.value
    do throws(Combining.Failure) {
      return try combining(UnsafeBufferPointer(start: seen, count: count)) { made in
        _fastPath(state.value.begin()) ? pass(made) : withValues(of: seen) { pass(made) }
      }
    } catch {
      return state.value.begin() ? failing(with: error) : withValues(of: seen) { failing(with: error) }
    }
  }

  /// Values that the transform is reading are released afterwards.
  @usableFromInline
  override func dropValues() {
    guard state.value.replaceRow() else { return super.dropValues() }
    move { _, _ in }
    for branch in places { branch.isVacant.value = true }
  }

  /// Goes to the other row. `copy` gets each of its places, and the value at that place in this row.
  @inlinable @inline(__always)
  func move(
    _ copy: (UnsafeMutablePointer<Combining.Element>, UnsafeMutablePointer<Combining.Element>) -> Void
  ) {
    let other = row.value == memory ? memory + count : memory
    for (index, branch) in places.enumerated() {
      copy(other + index, branch.place.value)
      branch.place.value = other + index
    }
    row.value = other
  }

  /// For a row that has been replaced while it was read: its values are released when the tuple has been delivered.
  /// The row may be needed before that.
  @usableFromInline @inline(never)
  func withValues(
    of row: UnsafeMutablePointer<Combining.Element>, _ deliver: () -> Subscribers.Demand
  ) -> Subscribers.Demand {
    let values = (0..<count).map { (row + $0).move() }
    return withExtendedLifetime(values, deliver)
  }
}

/// Subscribes to one of the upstreams of a combineLatest that has a row.
@usableFromInline
final class CombineLatestRowChild<Combining: RowTransform>: CombineLatestReceiver {
  @usableFromInline typealias Input = Combining.Element
  @usableFromInline typealias Output = Combining.Output
  @usableFromInline typealias Failure = Combining.Failure

  @usableFromInline let parent: CombineLatestRow<Combining>
  @usableFromInline let branch: RowBranch<Input>
  /// The branch's place in the first row.
  @usableFromInline let first: UnsafeMutablePointer<Input>

  @inlinable
  init(_ parent: CombineLatestRow<Combining>, _ branch: RowBranch<Input>) {
    self.parent = parent
    self.branch = branch
    first = branch.place.value
  }

  /// The fast path handles only values without reference counting, once all values are there. It uses the first place
  /// without looking it up, since each dependent load adds to the time.
  @inlinable @inline(__always)
  func acceptEntered(_ value: UnsafePointer<Input>) -> Subscribers.Demand {
    let isKept = isOpen && parent.state.value.isQuick && parent.combining.exchangePlain(first, value)
    guard _fastPath(isKept) else { return acceptSlowly(value) }
    if _fastPath(takeDemand()) {
      let returned = deliverTuple()
      guard _fastPath(parent.state.value.end() && returned == .none) else { return leave(returned) }
    }
    parent.delivery.serializer.leave()
    return .none
  }

  @inlinable @inline(never)
  func leave(_ returned: Subscribers.Demand) -> Subscribers.Demand {
    let more = parent.more(returned)
    parent.delivery.serializer.leave()
    return distribute(more)
  }

  @inlinable @inline(never)
  func acceptSlowly(_ value: UnsafePointer<Input>) -> Subscribers.Demand { acceptInGeneral(value) }

  @inlinable @inline(__always)
  func keep(_ value: UnsafePointer<Input>, _ replaced: inout Input?) -> Bool {
    parent.keep(value, from: branch, &replaced)
  }

  @inlinable @inline(__always)
  func deliverTuple() -> Subscribers.Demand { parent.deliverRow() }

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand { accept(batch) }
}
