extension Expectation {
  func pages(_ part: Part) {
    switch part.kind {
    case .tabs, .ownTabs: tabs(part)
    case .values:
      hidden(!part.path.isEmpty) {
        add("title \(part.text)")
        children(of: part)
        add("link")
      }
      values(part.path) { value in
        counter(part, "value \(value)", flavor: value)
        add("pop")
        add("link")
      }
    case .values2:
      hidden(!part.path.isEmpty) { children(of: part) }
      values(part.path) { counter(part, "value \($0)", flavor: $0) }
    case .flagPage:
      hidden(part.isOn) { children(of: part) }
      if part.isOn { page(of: part) { counter(part, "page") } }
    case .itemPage:
      hidden(part.chosen != nil) { children(of: part) }
      if let chosen = part.chosen {
        page(of: part) { counter(part, "page \(chosen)", flavor: chosen) }
      }
    case .mixedPages: mixedPages(part)
    default:
      let note = part.note
      hidden(!note.path.isEmpty) {
        for index in 0..<2 {
          add("row \(part.chosen == index)")
          add("row \(index) \(note.text)")
        }
      }
      values(note.path) { counter(part, "value \($0)", text: note.text, flavor: $0) }
    }
  }

  private func tabs(_ part: Part) {
    let isOwn = part.kind == .ownTabs
    let wanted = isOwn ? keep().ownTab : part.number
    let ids = part.children.map(\.id)
    let selected = ids.first { $0 == wanted } ?? ids.first
    let shown = keep { $0.shownTabs = $0.shownTabs.intersection(ids).union(selected.map { [$0] } ?? []) }
      .shownTabs
    for child in part.children {
      addTab(child.id, isSelected: child.id == selected, isOwn: isOwn)
      if shown.contains(child.id) { hidden(child.id != selected) { show(child) } }
    }
  }

  /// The pages of a path.
  private func values(_ path: [Int], _ body: (Int) -> Void) {
    for (index, value) in path.enumerated() {
      hidden(index < path.count - 1) { at(" \(index) \(value)") { body(value) } }
    }
  }

  private func mixedPages(_ part: Part) {
    let below = keep { $0.below = part.isOn ? $0.below ?? part.path : nil }.below
    if let below, !part.path.starts(with: below) {
      add("the page lies above values that are gone")
    }
    let (place, last) = (below?.count, part.path.count - 1)
    func flagPage(above count: Int) {
      guard count == place else { return }
      hidden(count <= last) {
        page(of: part) { counter(part, "page") }
      }
    }
    hidden(part.isOn || !part.path.isEmpty) { children(of: part) }
    flagPage(above: 0)
    for (index, value) in part.path.enumerated() {
      hidden(index < last || place == last + 1) {
        add("leave true")
        at(" \(index) \(value)") { counter(part, "value \(value)", flavor: value) }
        add("link")
      }
      flagPage(above: index + 1)
    }
  }

  func presenting(_ part: Part) {
    if part.kind == .rowSheet { add("header") }
    for child in part.children {
      show(child)
      if part.kind == .rowPopovers, part.chosen == child.id {
        presented {
          add("leave true")
          counter(part, "popover \(child.id)", flavor: child.id)
        }
      }
    }
    presented { presentation(of: part) }
  }

  private func presentation(of part: Part) {
    switch (part.kind, part.isOn, part.item) {
    case (.sheet, true, _): counter(part, "sheet")
    case (.itemSheet, _, let item?):
      counter(part, "sheet \(item.id)", text: item.text, flavor: item.id)
    case (.noteSheet, _, _): if part.note.flag { counter(part, "sheet", text: part.note.text) }
    case (.rowSheet, _, let item?):
      add("leave true")
      add("field \(item.text)")
      add("S")
      counter(part, "sheet \(item.id)", text: item.text, flavor: item.id)
    case (.stackSheet, true, _):
      hidden(part.chosen != nil) { at(" sheet") { children(of: part) } }
      guard let chosen = part.chosen else { return }
      page(of: part) { counter(part, "page \(chosen)", flavor: chosen) }
    case (.popover, true, _):
      counter(part, "popover")
      at(" popover") { children(of: part) }
    case (.alert, true, _):
      add("alert \(part.text)")
      add("message \(part.number)")
      counter(part, "alert")
    case (.dialog, true, let item?):
      add("dialog")
      add("choose \(item.text)")
      counter(part, "dialog")
    default: break
    }
  }
}
