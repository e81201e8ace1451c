import StreamsUI

/// What a host would show if it evaluated everything, always: found by hand, and not by the library.
final class Expectation {
  /// Something that is shown.
  struct Token {
    var text = ""
    var counter: Counter?
    /// What a tap on it changes of what views keep by themselves.
    var effect: Effect?
    let isHidden: Bool
  }

  enum Effect {
    /// Another tab of the tab view at this place is selected.
    case select(Int, at: String)
    /// The page of a part at this place is left.
    case leave(Part, at: String)

    var isLeaving: Bool { if case .leave = self { true } else { false } }
  }

  struct Counter {
    /// Its identity.
    let path: String
    let name: String
    let text: String
    let level: Int
  }

  /// What views read from above.
  struct Surroundings {
    var level = 0
    var object: Part
    var note: PartNote?
  }

  /// What the views at a place keep by themselves.
  struct Kept {
    /// The values that a receiver has got, and its part.
    var count = 0, sum = 0, receiver: Part?
    var shownTabs: Set<Int> = []
    var ownTab: Int?
    /// The path when a page was opened.
    var below: [Int]?
    /// How often a page has been left: it is another one when it is shown again.
    var departures = 0
  }

  private(set) var tokens: [Token] = []
  private var surroundings: Surroundings
  private var path = ""
  private var isHidden = false
  /// Of the preferences so far.
  private var sum = 0
  private var kept: [String: Kept] = [:]
  private var keptNow: [String: Kept] = [:]

  init(_ root: Part) { surroundings = Surroundings(object: root) }

  /// Finds what is shown after an update.
  func update(_ root: Part) {
    (tokens, keptNow, surroundings, sum) = ([], [:], Surroundings(object: root), 0)
    children(of: root)
    kept = keptNow
  }

  // MARK: Changes of what is kept

  /// A user taps something that has this effect.
  func take(_ effect: Effect) {
    switch effect {
    case .select(let id, let path): kept[path]?.ownTab = id
    case .leave(_, let path):
      kept[path]?.departures += 1
      kept[path]?.below = nil
    }
  }

  /// The receivers of a part get a value in the next update.
  func send(_ value: Int, to part: Part) {
    for (path, known) in kept where known.receiver === part {
      kept[path]?.count += 1
      kept[path]?.sum += value
    }
  }

  // MARK: Walking

  /// What is kept at the place, changed.
  func keep(_ change: (inout Kept) -> Void = { _ in }) -> Kept {
    var here = keptNow[path] ?? kept[path] ?? Kept()
    change(&here)
    keptNow[path] = here
    return here
  }

  func add(_ text: String) { tokens.append(Token(text: text, isHidden: isHidden)) }

  func addTab(_ id: Int, isSelected: Bool, isOwn: Bool) {
    let effect = isOwn ? Effect.select(id, at: path) : nil
    tokens.append(Token(text: "tab \(isSelected)", effect: effect, isHidden: isHidden))
    add("tab \(id)")
  }

  /// The button that leaves a page, and the page, which is another one each time.
  func page(of part: Part, _ body: () -> Void) {
    tokens.append(Token(text: "leave true", effect: .leave(part, at: path), isHidden: isHidden))
    at(" \(keep().departures)", body)
  }

  func counter(_ part: Part, _ name: String, text: String? = nil, flavor: Int? = nil) {
    let name = "\(part.id)\(name)"
    let counter = Counter(
      path: "\(path) \(name) \((flavor ?? part.id) % 5)", name: name, text: text ?? part.text,
      level: surroundings.level)
    tokens.append(Token(counter: counter, isHidden: isHidden))
  }

  func at(_ step: String, _ body: () -> Void) {
    let outer = path
    path += step
    body()
    path = outer
  }

  func hidden(_ condition: Bool, _ body: () -> Void) {
    let outer = isHidden
    isHidden = isHidden || condition
    body()
    isHidden = outer
  }

  /// What is presented is never hidden, and gives no preferences.
  func presented(_ body: () -> Void) {
    let outer = (isHidden, sum)
    isHidden = false
    body()
    (isHidden, sum) = outer
  }

  private func with(_ change: (inout Surroundings) -> Void, _ part: Part) {
    let outer = surroundings
    change(&surroundings)
    children(of: part)
    surroundings = outer
  }

  func children(of part: Part) { for child in part.children { show(child) } }

  func show(_ part: Part) {
    at("/\(part.id) \(part.kind)") {
      switch part.kind {
      case .list, .severalList, .partlyList, .boundList: list(part)
      case .level, .object, .note, .closed, .reader, .preference: giving(part)
      case .text, .receiver, .derived, .mirror, .equatable: value(part)
      case .toggle, .field, .slider, .stepper, .picker, .boundFields, .optionalField, .bindable: input(part)
      case .tabs, .ownTabs, .values, .values2, .flagPage, .itemPage, .mixedPages, .noteValues: pages(part)
      case .sheet, .itemSheet, .noteSheet, .rowSheet, .stackSheet, .popover, .rowPopovers, .alert, .dialog:
        presenting(part)
      default: container(part)
      }
    }
  }

  // MARK: Kinds

  private func container(_ part: Part) {
    switch part.kind {
    case .counter: counter(part, "")
    case .group:
      children(of: part)
      if part.isOn { counter(part, "group") }
    case .stack:
      counter(part, "stack")
      children(of: part)
    case .choice: if part.isOn { children(of: part) } else { counter(part, "else") }
    case .condition:
      if part.isOn {
        counter(part, "if")
        children(of: part)
      }
    case .erased:
      at(" \(part.isOn)") { counter(part, "erased") }
      if !part.isOn { children(of: part) }
    case .section:
      counter(part, "header")
      children(of: part)
      if part.isOn { counter(part, "footer") }
    case .form:
      children(of: part)
      add("image")
      add("label \(part.number)")
    case .toolbar:
      counter(part, "bar")
      if part.isOn { add("more") }
      children(of: part)
    case .identity: at(" \(part.number)") { counter(part, "identity") }
    case .innerIdentity: at(" \(part.isOn)") { children(of: part) }
    case .twice:
      children(of: part)
      if part.isOn { at(" twice") { children(of: part) } }
    case .tuple:
      counter(part, "first")
      for index in 0..<part.number { counter(part, "of \(index)", flavor: index) }
      add("last")
    case .disclosure:
      add("toggle \(part.isOn)")
      add("D\(part.text)")
      if part.isOn {
        counter(part, "inside")
        children(of: part)
      }
    default:
      add("toggle \(part.number > 1)")
      counter(part, "label")
      if part.number > 1 { counter(part, "inside") }
    }
  }

  private func giving(_ part: Part) {
    switch part.kind {
    case .level: with({ $0.level = part.number }, part)
    case .object: with({ $0.object = part }, part)
    case .note: with({ ($0.note, $0.level) = (part.isOn ? part.note : nil, $0.level + 1) }, part)
    case .closed:
      with({ $0 = Surroundings(level: part.isOn ? 9 : 8, object: part, note: part.note) }, part)
    case .reader:
      let (object, note) = (surroundings.object, surroundings.note)
      add("R\(object.id)\(object.text)\(surroundings.level)\(note?.text ?? "none")")
    default:
      let before = exchange(&sum, with: 0)
      children(of: part)
      add("sum \(sum)")
      sum += before
    }
  }

  private func value(_ part: Part) {
    switch part.kind {
    case .text:
      add("T\(part.text)\(part.note.text)")
      sum += part.number
    case .receiver:
      counter(part, "receiver", flavor: 0)
      let known = keep { $0.receiver = part }
      add("received \(known.count) \(known.sum)")
    case .derived: add("derived \(part.number)")
    case .mirror:
      add("mirrored \(part.text)")
      add("mirrored \(part.number)")
    default:
      add("Q\(part.number)")
      counter(part, "compared", text: "\(part.number)")
    }
  }
}
