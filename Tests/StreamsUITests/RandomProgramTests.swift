import StreamsUI
import Testing

private final class Census { var cards = 0 }

@Observable private final class Card: Identifiable {
  let id: Int
  let census: Census
  var title: String

  init(id: Int, title: String, census: Census) {
    (self.id, self.title, self.census) = (id, title, census)
    census.cards += 1
  }

  deinit { census.cards -= 1 }
}

@Observable private final class Desk {
  var cards: [Card] = []
  var path: [Card.ID] = []
  var chosen: Card.ID?
  var shown: Card?

  func title(of id: Card.ID?) -> String { cards.first { $0.id == id }?.title ?? "none" }
}

private struct DeskView: View {
  @Bindable var desk: Desk

  var body: some View {
    NavigationStack(path: $desk.path) {
      List(selection: $desk.chosen) {
        ForEach(desk.cards) { card in CardRow(card: card) }
          .onDelete { desk.cards.remove(atOffsets: $0) }
      }
      .navigationDestination(for: Int.self) { CardPage(id: $0) }
    }
    .sheet(item: $desk.shown) { CardSheet(card: $0) }
    .environment(desk)
    ChosenCard(desk: desk)
  }
}

private struct Counter: View {
  let name: String
  @State private var count = 0

  var body: some View { Button("\(name) \(count)") { count += 1 } }
}

private struct CardRow: View {
  let card: Card

  var body: some View { Counter(name: "row \(card.id) \(card.title)") }
}

private struct CardPage: View {
  let id: Card.ID
  @Environment(Desk.self) private var desk
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    Counter(name: "page \(id) \(desk.title(of: id))")
    Button("back") { dismiss() }
  }
}

private struct CardSheet: View {
  @Bindable var card: Card

  var body: some View {
    TextField("title", text: $card.title)
    Counter(name: "sheet \(card.id) \(card.title)")
  }
}

private struct ChosenCard: View {
  let desk: Desk

  var body: some View { Text("chosen \(desk.title(of: desk.chosen))") }
}

/// What a host would show if it evaluated everything, always.
private struct Naive {
  struct Place: Hashable {
    let index: Int
    let id: Card.ID

    /// That of the page that is shown.
    init?(_ desk: Desk) {
      guard let id = desk.path.last else { return nil }
      (index, self.id) = (desk.path.count - 1, id)
    }
  }

  var rows: [Card.ID: Int] = [:]
  var pages: [Place: Int] = [:]
  var sheets: [Card.ID: Int] = [:]

  /// Forgets the state of what an update removes.
  mutating func update(_ desk: Desk) {
    rows = rows.filter { row in desk.cards.contains { $0.id == row.key } }
    pages = pages.filter { desk.path.indices.contains($0.key.index) && desk.path[$0.key.index] == $0.key.id }
    sheets = sheets.filter { $0.key == desk.shown?.id }
  }

  func row(_ card: Card) -> String { "row \(card.id) \(card.title) \(rows[card.id] ?? 0)" }

  func page(_ place: Place, _ desk: Desk) -> String {
    "page \(place.id) \(desk.title(of: place.id)) \(pages[place] ?? 0)"
  }

  func sheet(_ card: Card) -> String { "sheet \(card.id) \(card.title) \(sheets[card.id] ?? 0)" }

  func texts(_ desk: Desk) -> [String] {
    let top = Place(desk).map { [page($0, desk), "back"] } ?? desk.cards.map(row)
    return top + (desk.shown.map { ["title", sheet($0)] } ?? []) + ["chosen \(desk.title(of: desk.chosen))"]
  }

  func selected(_ desk: Desk) -> [String] {
    desk.path.isEmpty ? desk.cards.filter { $0.id == desk.chosen }.map(row) : []
  }
}

/// Changes objects, and acts as a user, at random; for the same seed in the same way.
@MainActor private struct Editor {
  var generator: SplitMix
  let desk = Desk()
  let census = Census()
  var naive = Naive()
  private var nextID = 0

  init(seed: UInt64) { generator = SplitMix(state: seed) }

  mutating func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func make(_ id: Card.ID) -> Card {
    Card(id: id, title: "t\(random(0..<3))", census: census)
  }

  mutating func edit() {
    let card = desk.cards.randomElement(using: &generator)
    switch random(0..<12) {
    case 0: card?.title = "t\(random(0..<3))"
    case 1, 2:
      desk.cards.insert(make(nextID), at: random(0..<desk.cards.count + 1))
      nextID += 1
    case 3:
      let isFull = desk.cards.count > 8
      desk.cards.removeAll { $0 === card || isFull }
    case 4: desk.cards.shuffle(using: &generator)
    case 5:
      // Another object with the same identity.
      if let index = desk.cards.firstIndex(where: { $0 === card }) {
        desk.cards[index] = make(desk.cards[index].id)
      }
    case 6, 7: desk.path.append(random(0..<nextID + 1))
    case 8: desk.path.removeFirst(min(1, desk.path.count))
    case 9: desk.path = Array(desk.path.prefix(random(0..<3)))
    case 10: desk.chosen = card?.id
    default: desk.shown = desk.shown == nil ? card : nil
    }
  }

  /// Acts on what is shown; only after an update, in which the naive model has forgotten what is gone.
  mutating func act(on host: ViewHost) throws {
    let card = desk.cards.randomElement(using: &generator)
    switch (random(0..<3), desk.shown, Naive.Place(desk), card) {
    case (0, let shown?, _, _):
      try host.tap(naive.sheet(shown))
      naive.sheets[shown.id, default: 0] += 1
    case (1, let shown?, _, _):
      try host.type("typed", into: "title")
      if shown.title != "typed" { Issue.record("the object does not have what was typed") }
    case (0, _, let page?, _):
      try host.tap(naive.page(page, desk))
      naive.pages[page, default: 0] += 1
    case (_, _, .some, _):
      let below = Array(desk.path.dropLast())
      try host.tap("back")
      if desk.path != below { Issue.record("the path is \(desk.path), and not \(below)") }
    case (0, _, nil, let card?):
      try host.tap(naive.row(card))
      naive.rows[card.id, default: 0] += 1
    case (1, _, nil, let card?):
      try host.select(naive.row(card))
      if desk.chosen != card.id { Issue.record("\(card.id) is not chosen") }
    case (_, _, nil, let card?):
      try host.delete(naive.row(card))
      if desk.cards.contains(where: { $0 === card }) { Issue.record("\(card.id) is not deleted") }
    default: break
    }
  }
}

/// A program of observable objects, with a selection, a path and a sheet, against such a model.
@MainActor @Suite struct RandomProgramTests {
  @Test(arguments: 0..<10) func aProgramIsThatOfAFreshEvaluation(_ seed: UInt64) throws {
    var editor = Editor(seed: seed)
    let (desk, census) = (editor.desk, editor.census)
    let host = ViewHost(DeskView(desk: desk))
    try host.update()
    for step in 0..<500 {
      if editor.random(0..<3) == 0 { try editor.act(on: host) } else { editor.edit() }
      // Several edits without an update; what a user does is to what is shown.
      while editor.random(0..<3) == 0 { editor.edit() }
      try host.update()
      editor.naive.update(desk)
      let (texts, expected) = (host.texts, editor.naive.texts(desk))
      let selected = host.tree.all.filter { $0.attributes["isSelected"] == "true" }.map(\.label)
      guard texts == expected, selected == editor.naive.selected(desk) else {
        Issue.record("seed \(seed), step \(step): \(texts) and not \(expected), \(selected) are selected")
        return
      }
      guard host.tree.description == host.treeMadeAnew.description else {
        Issue.record("seed \(seed), step \(step): the nodes that are kept are not those made anew")
        return
      }
      let kept = Set((desk.cards + [desk.shown].compactMap { $0 }).map { ObjectIdentifier($0) }).count
      guard census.cards == kept else {
        Issue.record("seed \(seed), step \(step): there are \(census.cards) cards, and \(kept) are kept")
        return
      }
    }
    host.unmount()
    (desk.cards, desk.shown) = ([], nil)
    #expect(census.cards == 0)
  }
}
