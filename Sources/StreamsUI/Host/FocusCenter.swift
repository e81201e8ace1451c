import Streams
import StreamsScopes

/// The storage of a focus state, of any type.
class AnyFocusSlot {
  let id: FocusCenter.SlotID

  init(_ id: FocusCenter.SlotID) { self.id = id }

  /// Whether the state says that no control of its own has the focus.
  var isWithout: Bool { true }
  /// Notes that no control of its own has the focus.
  func lose() {}
}

/// The controls in a view whose focus a state is connected with: a value, of which the center keeps the latest.
struct FocusEntry {
  weak var scope: Scope?
  let slot: FocusCenter.SlotID?
  let value: AnyHashable
  /// Whether the state says that one of these controls has the focus.
  let isWanted: () -> Bool
  /// Notes that one of these controls has the focus.
  let gain: () -> Void
}

/// The place of an entry in the tree.
final class FocusPlace: RetainedContent {
  weak var center: FocusCenter?

  override func remove(from scope: Scope) { center?.remove(self) }
}

/// Which control of a host has the focus.
///
/// All that it keeps is read and changed under a lock, on any thread; focus states and the tree outside of it.
final class FocusCenter: @unchecked Sendable {
  /// Distinguishes a focus state from others.
  final class SlotID: Sendable {}

  typealias Place = (scope: Scope, key: ViewHost.Node.Key)

  private struct WeakSlot {
    weak var slot: AnyFocusSlot?
  }

  private struct State {
    var place: Place?
    var entries: [ObjectIdentifier: FocusEntry] = [:]
    var slots: [WeakSlot] = []
    /// How many requests of the program wait for the next update.
    var requests = 0
    /// Whether the control that has the focus is checked at the end of this round.
    var willLook = false
  }

  private let state = Lock(State())
  /// Set once, by the host that it belongs to.
  weak var core: HostCore?

  /// Where the focus is, even if the control there is gone.
  var place: Place? { state.withLock { $0.place } }

  /// Whether the program has moved the focus since the last update.
  var isMoving: Bool { state.withLock { $0.requests > 0 } }

  func add(_ slot: AnyFocusSlot) {
    // They may be released here, after the lock.
    let others = state.withLock { state in
      let others = state.slots.compactMap(\.slot)
      state.slots = (others + [slot]).map { WeakSlot(slot: $0) }
      return others
    }
    withExtendedLifetime(others) {}
  }

  /// Sets the entry of a place. Returns the one before.
  func set(_ entry: FocusEntry, at place: FocusPlace) -> FocusEntry? {
    place.center = self
    return state.withLock { $0.entries.updateValue(entry, forKey: ObjectIdentifier(place)) }
  }

  fileprivate func remove(_ place: FocusPlace) {
    let removed = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(place)) }
    withExtendedLifetime(removed) {}
  }

  // MARK: Losing the focus

  /// A view has been evaluated: the control with the focus may be gone, hidden or disabled.
  func note(in tree: ScopeTree) {
    let isFirst = state.withLock { state in
      if state.willLook || state.place == nil || state.slots.isEmpty { return false }
      state.willLook = true
      return true
    }
    if isFirst { tree.act { [weak self] in self?.look() } }
  }

  private func look() {
    let (place, isMoving) = state.withLock { state in
      state.willLook = false
      return (state.place, state.requests > 0)
    }
    // The program's request comes first.
    guard let place, let core, !isMoving else { return }
    let isThere = core.nodes(keeping: true).inOrder.contains { $0.key == place.key && $0.isEnabled }
    if !isThere { move(to: nil) }
  }

  // MARK: Moving

  /// Moves the focus, and notifies all states.
  func move(to place: Place?) {
    let before = state.withLock { exchange(&$0.place, with: place) }
    withExtendedLifetime(before) {}
    notify()
  }

  /// Notifies all states which control has the focus.
  func notify() {
    var told: Place?
    repeat {
      let (place, entries, slots) = state.withLock { state in
        (state.place, state.entries.values, state.slots.compactMap(\.slot))
      }
      for slot in slots {
        let around = entries.filter { $0.slot === slot.id && $0.isAround(place) }
        // The innermost view decides.
        if let entry = around.max(by: { $0.depth < $1.depth }) { entry.gain() } else { slot.lose() }
      }
      told = place
      // Another thread may have moved the focus, and notified the states before this one has.
    } while self.place?.key != told?.key
  }

  /// The program has set a state: the focus moves in the next update.
  func request(_ slot: SlotID) {
    state.withLock { $0.requests += 1 }
    core?.tree.act { [weak self] in self?.settle(slot) }
  }

  private func settle(_ id: SlotID) {
    let (place, entries, slots) = state.withLock { state in
      state.requests -= 1
      return (state.place, state.entries.values.filter { $0.slot === id }, state.slots.compactMap(\.slot))
    }
    defer { look() }
    let wanted = entries.filter { $0.isWanted() }
    if wanted.contains(where: { $0.isAround(place) }) { return notify() }
    if let node = control(in: wanted) { return move(to: node.focusPlace) }
    let isWithout = slots.first { $0.id === id }?.isWithout ?? false
    move(to: isWithout && entries.contains { $0.isAround(place) } ? nil : place)
  }

  private func control(in entries: [FocusEntry]) -> ViewHost.Node? {
    if entries.isEmpty { return nil }
    return core?.nodes(keeping: true).inOrder.first { node in
      node.isControl && node.isEnabled && entries.contains { $0.isAround(node.focusPlace) }
    }
  }
}

extension FocusEntry {
  fileprivate var depth: Int { scope?.depth ?? 0 }

  fileprivate func isAround(_ place: FocusCenter.Place?) -> Bool {
    guard let place, let scope, !place.scope.isRemoved else { return false }
    return place.scope.isInside(scope)
  }
}

extension ViewHost.Node {
  fileprivate var focusPlace: FocusCenter.Place { (place.scope, key) }
}

extension ViewHost {
  /// The control that has the focus; nil if none has. Can be set to a node of ``tree``, which is how a
  /// front end reports where the user is.
  ///
  /// A ``FocusState`` follows it, and moves it.
  public var focused: Node? {
    get {
      guard let key = focusKey else { return nil }
      return tree.inOrder.first { $0.key == key }
    }
    set { core.focus.move(to: newValue?.focusPlace) }
  }

  /// Which control has the focus, even if it is gone.
  package var focusKey: Node.Key? { core.focus.place?.key }

  /// Whether the next update moves the focus where the program wants it.
  package var isFocusMoving: Bool { core.focus.isMoving }
}
