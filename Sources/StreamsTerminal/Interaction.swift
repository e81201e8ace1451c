import StreamsUI

/// A key that the user has pressed.
enum Key: Equatable {
  case character(Character)
  /// Pasted rather than pressed: only fields take it.
  case pasted(Character)
  case enter
  case tab
  case backTab
  case up
  case down
  case left
  case right
  case backspace
  case escape
  /// Ctrl-R.
  case refresh
  case interrupt

  /// The key as part of a pasted text; a field has one line.
  var pasted: Key? {
    switch self {
    case .character(let character): .pasted(character)
    case .enter, .tab: .pasted(" ")
    default: nil
    }
  }

  /// Edits a field's text, if the key is for fields.
  fileprivate func edit(_ text: inout String) -> Bool {
    switch self {
    case .character(let character), .pasted(let character): text.append(character)
    case .backspace: _ = text.popLast()
    default: return false
    }
    return true
  }
}

/// Moves a slider, a stepper or a row of a list by one step.
private func change(_ row: ViewHost.Node.Row?, _ action: ViewHost.Node.Action, by direction: Int) {
  switch action {
  case .slide(let value, let step): value.wrappedValue += Double(direction) * step
  case .step(let up, let down): (direction > 0 ? up : down)?()
  default: row?.climb(direction)
  }
}

extension ViewHost.Node.Row {
  /// Moves it up or down by one row.
  fileprivate func climb(_ step: Int) {
    if (0..<count).contains(offset + step) { move?(step < 0 ? offset - 1 : offset + 2) }
  }
}

/// The user's interaction with a tree: the focus and the scroll offset of each layer, and the effects of keys.
struct Interaction {
  private struct Focus {
    var path = ""
    var index = 0
    var offset = 0
  }

  private(set) var page: Page
  private var focuses: [Focus] = []
  /// The control with the focus, as the host last knew it.
  private var known: ViewHost.Node.Key?
  /// Whether the focus goes on to the next control, unless the program moves it elsewhere.
  private var goesOn = false

  init(_ tree: ViewHost.Node, size: Size) {
    page = Page(tree, size: size)
    show(page)
  }

  var picture: Picture {
    page.picture(focus: places.isEmpty ? nil : focus.index, offsets: focuses.map(\.offset))
  }

  private var places: [Place] { page.top.block.places }

  /// The control with the focus.
  private var focused: Place? { places.indices.contains(focus.index) ? places[focus.index] : nil }

  private var focus: Focus {
    get { focuses[focuses.count - 1] }
    set { focuses[focuses.count - 1] = newValue }
  }

  /// Shows another tree. The focus stays with its control, or else at its position; if all controls are new, it goes to the
  /// first.
  mutating func show(_ tree: ViewHost.Node, size: Size) { show(Page(tree, size: size)) }

  private mutating func show(_ page: Page) {
    let wasSeen = !focuses.isEmpty && isSeen
    let layers = self.page.layers
    let before = layers.count < page.layers.count ? [] : layers[page.layers.count - 1].block.places
    self.page = page
    focuses.removeLast(max(focuses.count - page.layers.count, 0))
    while focuses.count < page.layers.count { focuses.append(Focus()) }
    if focused?.node.path != focus.path {
      let index = places.firstIndex { $0.node.path == focus.path }
      let isNew = index == nil && !before.isEmpty && !places.isEmpty && Place.areOthers(before, places)
      if isNew { focus.offset = 0 }
      move(to: index ?? (isNew ? 0 : min(focus.index, places.count - 1)))
    }
    scroll(by: 0)
    if wasSeen, let focused { reveal(focused.rows) }
  }

  // MARK: Moving

  /// Whether the control with the focus is on the screen.
  private var isSeen: Bool {
    let rows = focus.offset..<focus.offset + page.top.rows.count
    return focused.map { rows.overlaps($0.rows) } ?? false
  }

  private mutating func move(to index: Int) {
    focus.index = max(index, 0)
    guard let focused else { return }
    focus.path = focused.node.path
    reveal(focused.rows)
  }

  private mutating func reveal(_ rows: Range<Int>) {
    focus.offset = min(max(focus.offset, rows.upperBound - page.top.rows.count), rows.lowerBound)
  }

  private mutating func scroll(by rows: Int) {
    focus.offset = max(0, min(focus.offset + rows, page.top.block.rows.count - page.top.rows.count))
  }

  private mutating func step(_ step: Int) {
    if !places.isEmpty { move(to: (focus.index + step + places.count) % places.count) }
  }

  /// Moves the focus to the next control above or below, or else scrolls.
  private mutating func climb(_ step: Int) {
    guard isSeen, let here = focused else { return scroll(by: step) }
    let beyond = places.indices.filter {
      let (above, below) = step > 0 ? (here, places[$0]) : (places[$0], here)
      return above.rows.upperBound <= below.rows.lowerBound
    }
    let next = beyond.min { places[$0].distance(to: here) < places[$1].distance(to: here) }
    if let next { move(to: next) } else { scroll(by: step) }
  }

  /// Moves the focus where the program has moved it, and tells the host where the user has.
  @MainActor mutating func meet(_ host: ViewHost) {
    if host.isFocusMoving { return }
    if let wanted = host.focusKey, wanted != known {
      known = wanted
      if let index = places.firstIndex(where: { $0.node.key == wanted }) {
        goesOn = false
        move(to: index)
      }
    }
    if exchange(&goesOn, with: false) { step(1) }
    guard let node = focused?.node, node.key != known else { return }
    known = node.key
    host.focused = node
  }

  // MARK: Keys

  /// Handles the first of the keys, or all those that a field takes together, and removes them. The tree must be shown again
  /// before the next. Returns false if the program must end.
  mutating func press(_ keys: inout ArraySlice<Key>) -> Bool {
    let node = focused?.node
    if case .type(let value) = node?.action {
      let old = value.wrappedValue
      var text = old
      let edits = keys.prefix { $0.edit(&text) }
      keys.removeFirst(edits.count)
      if text != old { value.wrappedValue = text }
      if !edits.isEmpty { return true }
    }
    let ahead = node?.isMirrored ?? false ? -1 : 1
    switch (keys.removeFirst(), node?.action ?? .none) {
    case (.interrupt, _): return false
    case (.character("q"), _), (.character("Q"), _): return false
    case (.character(" "), .tap(let act)), (.enter, .tap(let act)): act()
    case (.character(" "), .toggle(let isOn)), (.enter, .toggle(let isOn)): isOn.wrappedValue.toggle()
    case (.backspace, _): node?.row?.delete?()
    case (.character("-"), let action): change(node?.row, action, by: -1)
    case (.character("+"), let action): change(node?.row, action, by: 1)
    case (.refresh, _):
      if let refresh = page.top.node.all.lazy.compactMap(\.refresh).first { Task { await refresh() } }
    case (.escape, _):
      if case .dismiss(let dismiss) = page.top.node.action {
        dismiss()
      } else {
        page.top.node.all.last?.dismiss()
      }
    case (.enter, .type):
      node?.submit?()
      goesOn = true
    case (.tab, _): step(1)
    case (.backTab, _): step(-1)
    case (.right, _): step(ahead)
    case (.left, _): step(-ahead)
    case (.up, _): climb(-1)
    case (.down, _): climb(1)
    default: break
    }
    return true
  }
}
