import StreamsUI

/// Changes parts, and acts as a user, at random; for the same seed in the same way.
@MainActor struct ScreenEditor {
  var generator: SplitMix
  let census = ScreenCensus()
  let root: Part
  private var nextID = 1
  /// Parts that have been removed, and may come back.
  private var removed: [(part: Part, parent: Part)] = []

  init(seed: UInt64) {
    generator = SplitMix(state: seed)
    root = Part(0, .group, census)
    for _ in 0..<4 + random(6) { root.children.append(make(1)) }
  }

  mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private mutating func make(_ depth: Int) -> Part {
    let part = Part(nextID, PartKind.allCases.randomElement(using: &generator) ?? .text, census)
    nextID += 1
    (part.number, part.isOn, part.text) = (random(5), random(2) == 0, "t\(random(3))")
    if depth < 4 { for _ in 0..<random(3) { part.children.append(make(depth + 1)) } }
    part.items = (0..<random(3)).map { PartItem(id: $0, text: "i\(random(3))") }
    return part
  }

  /// Removes all parts but the root.
  mutating func removeAll() {
    removed = []
    root.children = []
  }

  // MARK: The program

  /// Changes a field of a part, or the tree of parts.
  mutating func edit(_ expectation: Expectation) {
    let all = root.all
    let event = random(24)
    let suited = all.filter {
      event > 21 ? $0.children.contains(where: \.hasPage) : isSuited($0.kind, to: event)
    }
    guard let part = (suited.isEmpty ? all : suited).randomElement(using: &generator) else { return }
    switch event {
    case 0: part.text = "t\(random(3))"
    case 1, 2: part.isOn.toggle()
    case 3: part.number = anyTab(of: part) ?? random(5)
    case 4, 20: insert(into: part, of: all)
    case 5, 21: remove(from: part, of: all)
    case 6: part.children.shuffle(using: &generator)
    case 7, 22, 23: replaceChild(of: part, withPage: event > 7)
    case 8...10: editItems(of: part, event)
    case 11...13 where part.kind == .noteValues: part.note.path = (0..<random(3)).map { _ in random(3) }
    case 11: part.path.append(random(4))
    case 12: part.path = Array(part.path.prefix(random(3)))
    case 13: part.path = part.path.map { _ in random(4) }
    case 14:
      part.chosen = random(2) == 0 ? nil : part.children.randomElement(using: &generator)?.id ?? random(4)
    case 15: part.item = random(4) == 0 ? nil : PartItem(id: random(3), text: "i\(random(2))")
    case 16: part.note.text = "n\(random(3))"
    case 17: changeNote(of: part)
    case 18: if part !== root { part.kind = PartKind.allCases.randomElement(using: &generator) ?? .text }
    default: send(to: part, expectation)
    }
  }

  /// Whether a change of this kind shows in a part.
  private func isSuited(_ kind: PartKind, to event: Int) -> Bool {
    let kinds: [PartKind] =
      switch event {
      case 3: [.tabs, .level, .identity, .tuple, .derived, .mirror, .text, .picker]
      case 8...10: [.boundFields, .boundList]
      case 11...13: [.values, .values2, .noteValues, .mixedPages]
      case 14: [.itemPage, .list, .partlyList, .noteValues, .boundList, .stackSheet, .rowPopovers]
      case 15: [.itemSheet, .dialog, .optionalField, .rowSheet]
      case 16, 17: [.note, .closed, .bindable, .text, .noteSheet, .noteValues]
      case 19: [.receiver]
      case 20, 21: [.tabs, .ownTabs]
      default: PartKind.allCases
      }
    return kinds.contains(kind)
  }

  private mutating func anyTab(of part: Part) -> Int? {
    // Sometimes a value of none.
    guard part.kind == .tabs, random(4) > 0 else { return nil }
    return part.children.randomElement(using: &generator)?.id
  }

  private mutating func insert(into part: Part, of all: [Part]) {
    if random(3) > 0, let (back, parent) = removed.popLast() {
      let place = all.contains { $0 === parent } && random(3) > 0 ? parent : part
      place.children.insert(back, at: random(place.children.count + 1))
    } else if all.count < 60 {
      part.children.insert(make(all.count < 25 ? 1 : 3), at: random(part.children.count + 1))
    }
  }

  private mutating func remove(from part: Part, of all: [Part]) {
    if part.children.isEmpty || all.count < 20 { return }
    let gone = part.children.remove(at: random(part.children.count))
    if random(3) > 0 {
      removed = (removed + [(gone, part)]).suffix(3)
    } else {
      // It goes to another place.
      root.all.randomElement(using: &generator)?.children.append(gone)
    }
  }

  /// With another object that has the same identity.
  private mutating func replaceChild(of part: Part, withPage: Bool) {
    let suited = part.children.indices.filter { !withPage || part.children[$0].hasPage }
    guard let index = suited.randomElement(using: &generator) else { return }
    part.children[index] = part.children[index].copy()
    part.children[index].text = "t\(random(3))"
  }

  private mutating func editItems(of part: Part, _ event: Int) {
    if event == 8 {
      part.items.append(PartItem(id: nextID, text: "i\(random(3))"))
      nextID += 1
    } else if !part.items.isEmpty {
      let index = random(part.items.count)
      if event == 9 { part.items.remove(at: index) } else { part.items[index].text = "i\(random(4))" }
      part.items.shuffle(using: &generator)
    }
  }

  private mutating func changeNote(of part: Part) {
    if random(2) == 0 { return part.note.flag.toggle() }
    let note = PartNote(census)
    note.flag = part.note.flag
    part.note = note
  }

  private mutating func send(to part: Part, _ expectation: Expectation) {
    let value = random(5)
    part.subject.send(value)
    expectation.send(value, to: part)
  }

  // MARK: The user

  /// Acts on a control that is shown. Returns the serial number of the counter that was tapped, if it was one.
  mutating func act(on host: ViewHost, _ expectation: Expectation) -> Int? {
    let shown = expectation.tokens.filter { !$0.isHidden }
    var controls: [(node: ViewHost.Node, effect: Expectation.Effect?)] = []
    var count = 0
    for node in host.tree.all {
      // The token of a button is that of its label.
      if node.isUsable { controls.append((node, count < shown.count ? shown[count].effect : nil)) }
      if node.token != nil { count += 1 }
    }
    // Often one that changes more than the state of the program.
    let wanted = random(4)
    let preferred = controls.filter {
      wanted == 0 && $0.effect?.isLeaving == true || wanted == 1 && $0.effect != nil
    }
    let choices = preferred.isEmpty ? controls : preferred
    guard let (node, effect) = choices.randomElement(using: &generator) else { return nil }
    if let row = node.row, random(4) == 0 {
      if random(2) == 0 { row.delete?() } else { row.move?(random(row.count + 1)) }
      return nil
    }
    switch node.action {
    case .none: break
    case .tap(let action):
      action()
      if let effect { take(effect, expectation) }
      return node.kind == "Button" ? node.serial : nil
    case .toggle(let isOn): isOn.wrappedValue.toggle()
    case .type(let text): text.wrappedValue = "y\(random(3))"
    case .slide(let number, _): number.wrappedValue = Double(random(5))
    case .step(let up, let down): if random(2) == 0 { up?() } else { down?() }
    case .dismiss(let action): action()
    }
    return nil
  }

  /// Also shows the page again that has just been left, now and then.
  private mutating func take(_ effect: Expectation.Effect, _ expectation: Expectation) {
    expectation.take(effect)
    guard case .leave(let part, _) = effect else { return }
    let isOfItem = [.itemPage, .stackSheet].contains(part.kind)
    if isOfItem ? part.chosen != nil : part.isOn { census.fault("the page of \(part.id) has not been left") }
    if random(2) == 0 { return }
    if isOfItem { part.chosen = random(4) } else { part.isOn = true }
  }
}

extension ViewHost.Node {
  /// What it shows; nil if it is only a frame for others.
  var token: String? {
    let selected = "\(attributes["isSelected"] ?? "not")"
    return switch kind {
    case "Text", "Image", "Title": text
    case "Toggle": "toggle \(attributes["isOn"] ?? "not")"
    case "TextField": "field \(attributes["value"] ?? "not")"
    case "Slider": "slider \(attributes["value"] ?? "not")"
    case "Option": "option \(selected)"
    case "Tab": "tab \(selected)"
    case "Row": "row \(selected)"
    default: nil
    }
  }

  /// Of the counter whose button it is.
  fileprivate var serial: Int? { label.split(separator: "|").dropFirst(4).first.flatMap { Int($0) } }

  fileprivate var isUsable: Bool {
    if case .none = action { return row != nil }
    return isEnabled
  }
}
