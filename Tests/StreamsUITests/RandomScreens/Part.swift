import StreamsUI

/// What a part of a random screen is. `PartView` shows it, and `Expectation` knows by hand what that is.
enum PartKind: CaseIterable {
  case text, counter, group, stack, choice, condition, erased, section, form, toolbar, identity, innerIdentity
  case twice, tuple, equatable, disclosure, ownDisclosure, list, severalList, partlyList, boundList
  case level, object, note, closed, reader, preference, receiver, derived, mirror
  case toggle, field, slider, stepper, picker, boundFields, optionalField, bindable
  case tabs, ownTabs, values, values2, flagPage, itemPage, mixedPages, noteValues
  case sheet, itemSheet, noteSheet, rowSheet, stackSheet, popover, rowPopovers, alert, dialog
}

/// How many there are of what the views keep, which counters have appeared, and what went wrong.
final class ScreenCensus {
  private(set) var alive: [String: Int] = [:]
  private(set) var appeared: [Int: String] = [:]
  private(set) var faults: [String] = []
  private var serial = 0

  func count(_ what: String, _ change: Int) { alive[what, default: 0] += change }

  func nextSerial() -> Int {
    serial += 1
    return serial
  }

  func appear(_ serial: Int, _ name: String) {
    if appeared.updateValue(name, forKey: serial) != nil { faults.append("\(name) appears twice") }
  }

  func disappear(_ serial: Int, _ name: String) {
    if appeared.removeValue(forKey: serial) == nil { faults.append("\(name) disappears without being there") }
  }

  func fault(_ what: String) { faults.append(what) }
}

struct PartItem: Identifiable, Equatable {
  let id: Int
  var text: String
}

/// An observable object of a part.
@Observable final class PartNote {
  var text = "n0"
  var flag = false
  var path: [Int] = []
  private let census: ScreenCensus

  init(_ census: ScreenCensus) {
    self.census = census
    census.count("note", 1)
  }

  deinit { census.count("note", -1) }
}

/// A part, with fields of which each kind uses some.
final class Part: ObservableObject, Identifiable {
  let id: Int
  let census: ScreenCensus
  @Published var kind: PartKind
  @Published var text = "t0"
  @Published var isOn = false
  @Published var number = 0
  @Published var amount = 1.0
  @Published var children: [Part] = []
  @Published var items: [PartItem] = []
  @Published var path: [Int] = []
  @Published var chosen: Int?
  @Published var several: Set<Int> = []
  @Published var item: PartItem?
  @Published var note: PartNote
  let subject = PassthroughSubject<Int, Never>()

  init(_ id: Int, _ kind: PartKind, _ census: ScreenCensus) {
    (self.id, self.kind, self.census, note) = (id, kind, census, PartNote(census))
    census.count("part", 1)
  }

  deinit { census.count("part", -1) }

  /// Another object with the same identity.
  func copy() -> Part {
    let copy = Part(id, kind, census)
    (copy.isOn, copy.number, copy.amount, copy.children) = (isOn, number, amount, children)
    (copy.items, copy.path, copy.chosen, copy.several, copy.item) = (items, path, chosen, several, item)
    return copy
  }

  /// Whether it shows a page for its flag or its choice.
  var hasPage: Bool { [.flagPage, .itemPage, .mixedPages].contains(kind) }

  /// It and all parts in it.
  var all: [Part] { [self] + children.flatMap(\.all) }
}
