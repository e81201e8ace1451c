/// Actions in the order of their due times; those of one moment in the order in which they came.
///
/// It is a 4-ary heap, whose nodes name the slots of the actions. A slot knows its place in the heap, so that any action can be
/// removed in O(log n) and is released immediately.
package struct TimerQueue<Action> {
  private struct Node {
    var time: Int
    /// Orders the actions of one moment.
    var order: Int32
    var slot: UInt32

    func comes(before other: Node) -> Bool {
      time == other.time ? order < other.order : time < other.time
    }
  }

  private struct Slot {
    var action: Action?
    /// The slot's place in the heap, `none` if it is no longer there; for a free slot, the next free one.
    var place: UInt32
    /// Distinguishes the actions that have been in this slot.
    var generation: UInt32
  }

  /// The action that is due next.
  package struct Due {
    package var time: MonotonicTime
    package var order: Int32
    package var action: Action
  }

  private static var none: UInt32 { .max }

  private var heap: ContiguousArray<Node> = []
  private var slots: ContiguousArray<Slot> = []
  private var free = Self.none
  /// How many slots are in use.
  package private(set) var count = 0
  private var generation: UInt32 = 0
  private var firstOrder: Int32 = 0
  /// The greatest order that an action has been given so far.
  package private(set) var lastOrder: Int32 = 0

  package init() {}

  /// When the next action is due.
  package var nextTime: MonotonicTime? { heap.first.map { MonotonicTime(nanoseconds: $0.time) } }

  // MARK: Putting in and taking out

  /// Inserts an action after those that are due at the same time, or before them if `first`.
  package mutating func insert(
    _ action: Action, at time: MonotonicTime, first: Bool = false
  ) -> ScheduledAction {
    let slot = takeSlot(for: action)
    heap.append(Node(time: time.nanoseconds, order: nextOrder(first: first), slot: slot))
    rise(from: heap.count - 1)
    return ScheduledAction(slot: slot, generation: generation)
  }

  /// Removes an action. Returns nil if it is no longer there.
  package mutating func remove(_ scheduled: ScheduledAction) -> Action? {
    let index = Int(scheduled.slot)
    guard index < slots.count, slots[index].generation == scheduled.generation,
      let action = slots[index].action.take()
    else { return nil }
    let place = slots[index].place
    if place != Self.none { removeNode(at: Int(place)) }
    freeSlot(scheduled.slot)
    return action
  }

  /// Removes the action that is due first, if it is due by `limit` and not later in order than `order`.
  package mutating func popFirst(by limit: MonotonicTime, upTo order: Int32 = .max) -> Due? {
    guard let first = heap.first, first.time <= limit.nanoseconds, first.order <= order,
      let action = slots[Int(first.slot)].action.take()
    else { return nil }
    removeNode(at: 0)
    freeSlot(first.slot)
    return Due(time: MonotonicTime(nanoseconds: first.time), order: first.order, action: action)
  }

  /// Returns the action that is due first, if it is due by `limit`, and keeps it in its slot. It does not become due again, but
  /// can still be removed.
  package mutating func expireFirst(by limit: MonotonicTime) -> ScheduledAction? {
    guard let first = heap.first, first.time <= limit.nanoseconds else { return nil }
    let slot = Int(first.slot)
    removeNode(at: 0)
    slots[slot].place = Self.none
    return ScheduledAction(slot: first.slot, generation: slots[slot].generation)
  }

  /// The scheduled action.
  package subscript(scheduled: ScheduledAction) -> Action? {
    let index = Int(scheduled.slot)
    guard index < slots.count, slots[index].generation == scheduled.generation else { return nil }
    return slots[index].action
  }

  /// Whether an action is still there.
  package func contains(_ scheduled: ScheduledAction) -> Bool {
    let index = Int(scheduled.slot)
    return index < slots.count && slots[index].generation == scheduled.generation
      && slots[index].action != nil
  }

  // MARK: Slots

  private mutating func takeSlot(for action: Action) -> UInt32 {
    generation &+= 1
    count += 1
    guard free != Self.none else {
      slots.append(Slot(action: action, place: 0, generation: generation))
      return UInt32(slots.count - 1)
    }
    let slot = free
    free = slots[Int(slot)].place
    slots[Int(slot)] = Slot(action: action, place: 0, generation: generation)
    return slot
  }

  private mutating func freeSlot(_ slot: UInt32) {
    count -= 1
    guard count > 0 || slots.count < 1024 else { return giveMemoryBack() }
    slots[Int(slot)].place = free
    free = slot
  }

  /// Memory for a great many actions is not kept forever.
  private mutating func giveMemoryBack() {
    heap = []
    slots = []
    free = Self.none
  }

  // MARK: Order

  private mutating func nextOrder(first: Bool) -> Int32 {
    if lastOrder == .max || firstOrder == .min { numberAnew() }
    if first {
      firstOrder -= 1
      return firstOrder
    }
    lastOrder += 1
    return lastOrder
  }

  /// Happens once in two billion actions.
  private mutating func numberAnew() {
    heap.sort { $0.comes(before: $1) }
    for place in heap.indices {
      heap[place].order = Int32(place)
      slots[Int(heap[place].slot)].place = UInt32(place)
    }
    firstOrder = 0
    lastOrder = Int32(heap.count)
  }

  // MARK: The heap

  private mutating func removeNode(at place: Int) {
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    if !rise(from: place) { sink(from: place) }
  }

  /// Moves a node up to its place, and updates its slot. Returns whether it has moved.
  @discardableResult
  private mutating func rise(from start: Int) -> Bool {
    var place = start
    heap.withUnsafeMutableBufferPointer { heap in
      slots.withUnsafeMutableBufferPointer { slots in
        let node = heap[start]
        while place > 0, node.comes(before: heap[(place - 1) / 4]) {
          let parent = (place - 1) / 4
          heap[place] = heap[parent]
          slots[Int(heap[place].slot)].place = UInt32(place)
          place = parent
        }
        heap[place] = node
        slots[Int(node.slot)].place = UInt32(place)
      }
    }
    return place != start
  }

  private mutating func sink(from start: Int) {
    heap.withUnsafeMutableBufferPointer { heap in
      slots.withUnsafeMutableBufferPointer { slots in
        let node = heap[start]
        var place = start
        while let child = Self.firstChild(of: place, in: heap), heap[child].comes(before: node) {
          heap[place] = heap[child]
          slots[Int(heap[place].slot)].place = UInt32(place)
          place = child
        }
        heap[place] = node
        slots[Int(node.slot)].place = UInt32(place)
      }
    }
  }

  private static func firstChild(of place: Int, in heap: UnsafeMutableBufferPointer<Node>) -> Int? {
    let children = place * 4 + 1..<Swift.min(place * 4 + 5, Swift.max(heap.count, place * 4 + 1))
    guard var first = children.first else { return nil }
    for child in children.dropFirst() where heap[child].comes(before: heap[first]) { first = child }
    return first
  }
}
