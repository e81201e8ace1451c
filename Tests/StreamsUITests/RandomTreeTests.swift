import StreamsUI
import Testing

/// How many there are of what the views keep.
private final class Census {
  var probes = 0
  var values = 0
  var subscriptions = 0
  var items = 0
}

/// What a state object keeps.
private final class Probe: ObservableObject {
  private let census: Census
  init(_ census: Census) {
    self.census = census
    census.probes += 1
  }
  deinit { census.probes -= 1 }
}

/// A state's value; the first, which every value of the view has, is not counted.
private final class Count {
  let number: Int
  private let census: Census
  init(_ number: Int, _ census: Census) {
    (self.number, self.census) = (number, census)
    if number > 0 { census.values += 1 }
  }
  deinit { if number > 0 { census.values -= 1 } }
}

private struct LevelKey: EnvironmentKey {
  static let defaultValue = 0
}

extension EnvironmentValues {
  fileprivate var level: Int {
    get { self[LevelKey.self] }
    set { self[LevelKey.self] = newValue }
  }
}

/// A node of the model, and what the test changes.
private final class Item: ObservableObject, Identifiable {
  let id: Int
  let census: Census
  @Published var text: String
  @Published var readsLevel = false
  @Published var level: Int?
  /// Whether its children get no values from above.
  @Published var isClosed = false
  @Published var children: [Item] = []
  private let subject = PassthroughSubject<Void, Never>()
  let publisher: AnyPublisher<Void, Never>

  init(id: Int, text: String, census: Census) {
    (self.id, self.text, self.census) = (id, text, census)
    publisher = subject.handleEvents(
      receiveSubscription: { _ in census.subscriptions += 1 }, receiveCancel: { census.subscriptions -= 1 }
    ).eraseToAnyPublisher()
    census.items += 1
  }

  deinit { census.items -= 1 }

  func count() { subject.send() }

  var all: [Item] { [self] + children.flatMap(\.all) }
}

private struct ItemView: View {
  @ObservedObject var item: Item
  @StateObject var probe: Probe
  @State var count: Count
  @Environment(\.level) var level

  init(item: Item) {
    self.item = item
    _probe = StateObject(wrappedValue: Probe(item.census))
    _count = State(wrappedValue: Count(0, item.census))
  }

  var body: some View {
    Text("\(item.text) \(count.number)")
      .onReceive(item.publisher) { count = Count(count.number + 1, item.census) }
    if item.readsLevel { Text("\(level)") }
    VStack {
      if let level = item.level {
        ForEach(item.children) { ItemView(item: $0) }.environment(\.level, level)
      } else {
        let isClosed = item.isClosed
        ForEach(item.children) { AnyView(ItemView(item: $0)) }
          .transformEnvironment(\.self) { if isClosed { $0 = EnvironmentValues() } }
          // Nodes show what follows from it, and no view reads it.
          .transformEnvironment(\.self) { $0.lineLimit = $0.level }
      }
    }
  }
}

/// What a host would show if it evaluated everything, always.
private struct Naive {
  var level = 0
  /// The counts, by the way to each item, with what is part of its identity.
  var counts: [String: Int] = [:]

  mutating func count(_ wanted: Item, in root: Item) {
    visit(root, level, "") { item, path, _ in
      if item === wanted { counts[path, default: 0] += 1 }
    }
  }

  mutating func texts(of root: Item) -> [String] {
    var texts: [String] = []
    var kept: [String: Int] = [:]
    visit(root, level, "") { item, path, level in
      kept[path] = counts[path] ?? 0
      texts.append("\(item.text) \(counts[path] ?? 0)")
      if item.readsLevel { texts.append("\(level)") }
    }
    counts = kept
    return texts
  }

  private func visit(_ item: Item, _ level: Int, _ path: String, _ body: (Item, String, Int) -> Void) {
    let own = path + "/\(item.id)"
    body(item, own, level)
    for child in item.children {
      let outer = item.isClosed ? 0 : level
      visit(child, item.level ?? outer, own + (item.level == nil ? "n" : "o"), body)
    }
  }
}

/// Edits a tree at random, with the same edits for the same seed.
@MainActor private struct Editor {
  var generator: SplitMix
  let root: Item
  let census: Census
  var naive = Naive()
  var nextID = 1
  /// Whether everything is as it was after the last update, and so is who is subscribed to what.
  var isUpToDate = false

  mutating func edit(_ host: ViewHost) {
    guard let item = root.all.randomElement(using: &generator) else { return }
    switch Int.random(in: 0..<11, using: &generator) {
    case 0: item.text = "t\(Int.random(in: 0..<3, using: &generator))"
    case 1: item.readsLevel.toggle()
    case 2: item.level = [nil, 1, 2].randomElement(using: &generator) ?? nil
    case 3:
      naive.level = Int.random(in: 0..<3, using: &generator)
      host.environment.level = naive.level
    case 4, 5: insert(into: item)
    case 6: if !item.children.isEmpty { item.children.remove(at: index(in: item)) }
    case 7: item.children.shuffle(using: &generator)
    case 8:
      // Another object with the same identity.
      guard !item.children.isEmpty else { return }
      let index = index(in: item)
      let copy = Item(id: item.children[index].id, text: "copy", census: census)
      copy.children = item.children[index].children
      item.children[index] = copy
    case 9: item.isClosed.toggle()
    default:
      if !isUpToDate { return }
      // The action runs in the next update, if the item is in the tree then.
      naive.count(item, in: root)
      item.count()
    }
  }

  private mutating func index(in item: Item) -> Int {
    Int.random(in: item.children.indices, using: &generator)
  }

  private mutating func insert(into item: Item) {
    if root.all.count > 30 { return item.children.removeAll() }
    let child = Item(id: nextID, text: "new", census: census)
    nextID += 1
    item.children.insert(child, at: Int.random(in: 0...item.children.count, using: &generator))
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// 10,000 edits against a model that evaluates everything.
@MainActor @Suite struct RandomTreeTests {
  @Test(arguments: 0..<20) func anEditedTreeIsThatOfAFreshEvaluation(_ seed: UInt64) throws {
    let census = Census()
    do {
      let root = Item(id: 0, text: "root", census: census)
      let host = ViewHost(ItemView(item: root))
      var editor = Editor(generator: SplitMix(state: seed), root: root, census: census)
      try host.update()
      for step in 0..<500 {
        editor.edit(host)
        editor.isUpToDate = false
        if Int.random(in: 0..<4, using: &editor.generator) == 0 { continue }
        try host.update()
        editor.isUpToDate = true
        let expected = editor.naive.texts(of: root)
        guard host.texts == expected else {
          Issue.record("seed \(seed), step \(step): \(host.texts) and not \(expected)")
          return
        }
        let (kept, made) = (host.tree.description, host.treeMadeAnew.description)
        guard kept == made else {
          Issue.record("seed \(seed), step \(step): kept are \(kept), and made \(made)")
          return
        }
        let count = root.all.count
        let found = (census.probes, census.values, census.subscriptions, census.items)
        let counted = editor.naive.counts.values.count { $0 > 0 }
        guard found == (count, counted, count, count) else {
          Issue.record("seed \(seed), step \(step): \(count) items, \(counted) counts, and \(found) are kept")
          return
        }
      }
      host.unmount()
      #expect((census.probes, census.values, census.subscriptions) == (0, 0, 0))
    }
    #expect(census.items == 0)
  }
}
