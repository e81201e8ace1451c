import StreamsUI
import Testing

/// Scores by name. Who watches one is told before it changes.
@MainActor private final class Board {
  private var scores: [String: Int] = [:]
  private(set) var watchers: [String: [ObjectIdentifier: () -> Void]] = [:]

  func score(_ name: String) -> Int { scores[name] ?? 0 }

  func set(_ name: String, _ score: Int) {
    let told = watchers[name] ?? [:]
    for tell in told.values { tell() }
    scores[name] = score
  }

  func watch(_ name: String, by watcher: Watcher) -> Int {
    watchers[name, default: [:]][ObjectIdentifier(watcher)] = { [weak watcher] in
      watcher?.objectWillChange.send()
    }
    watcher.onEnd = { [weak self] id in self?.watchers[name]?[id] = nil }
    return score(name)
  }
}

/// A view's part in it, which lives as long as the view does.
private final class Watcher: ObservableObject {
  var onEnd: (ObjectIdentifier) -> Void = { _ in }

  deinit { onEnd(ObjectIdentifier(self)) }
}

extension EnvironmentValues {
  @Entry fileprivate var board: Board?
  @Entry fileprivate var unit: String = "points"
}

/// What a view needs to take part.
@propertyWrapper private struct Watching: DynamicProperty {
  @Environment(\.board) private var board
  @StateObject private var watcher = Watcher()

  @MainActor var wrappedValue: (board: Board, watcher: Watcher)? { board.map { ($0, watcher) } }
}

/// A score of the board that is set further up.
@propertyWrapper private struct Score: DynamicProperty {
  let name: String
  @Watching private var context

  init(_ name: String) { self.name = name }

  @MainActor var wrappedValue: Int {
    get { context?.board.watch(name, by: context!.watcher) ?? -1 }
    nonmutating set { context?.board.set(name, newValue) }
  }

  @MainActor var projectedValue: Binding<Int> {
    Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
  }
}

private struct Player: View {
  @Score private var score: Int
  @Environment(\.unit) private var unit
  private let name: String

  init(name: String) {
    self.name = name
    _score = Score(name)
  }

  var body: some View {
    Text("\(name): \(score) \(unit)")
    Stepper("Change \(name)", value: $score)
    Button("Reset \(name)") { score = 0 }
  }
}

private struct Table: View {
  let names: [String]
  @State private var isAdaHere = true

  var body: some View {
    ForEach(isAdaHere ? names : names.filter { $0 != "Ada" }, id: \.self) { Player(name: $0) }
    Button("Ada leaves") { isAdaHere = false }
  }
}

/// A program that passes its state on by the environment, and reads it through property wrappers of its own.
@MainActor @Suite struct ScoreTests {
  private let board = Board()

  private func scores(of host: ViewHost) -> [String] { host.texts.filter { $0.contains(":") } }

  private func makeHost<V: View>(_ view: V) throws -> ViewHost {
    let host = ViewHost(view)
    try host.update()
    return host
  }

  @Test func whoWatchesAScoreFollowsIt() throws {
    let host = try makeHost(Table(names: ["Ada", "Bea"]).environment(\.board, board))
    #expect(try host.evaluated { try host.increment("Change Ada") } == ["Player"])
    board.set("Bea", 5)
    try host.update()
    #expect(scores(of: host) == ["Ada: 1 points", "Bea: 5 points"])
    try host.tapEach("Reset Bea")
    #expect(scores(of: host) == ["Ada: 1 points", "Bea: 0 points"])
  }

  @Test func whoLeavesWatchesNoLonger() throws {
    let host = try makeHost(Table(names: ["Ada", "Bea"]).environment(\.board, board))
    #expect(board.watchers.mapValues(\.count) == ["Ada": 1, "Bea": 1])
    try host.tapEach("Ada leaves")
    #expect(board.watchers.mapValues(\.count) == ["Ada": 0, "Bea": 1])
    #expect(try host.evaluated { board.set("Ada", 3) } == [])
  }

  @Test func theNearestBoardCounts() throws {
    let inner = Board()
    let host = try makeHost(
      Group {
        Player(name: "Ada")
        Player(name: "Ada").environment(\.board, inner).environment(\.unit, "goals")
      }
      .environment(\.board, board))
    #expect(try host.evaluated { inner.set("Ada", 2) } == ["Player"])
    #expect(scores(of: host) == ["Ada: 0 points", "Ada: 2 goals"])
    #expect(try makeHost(Player(name: "Ada")).texts.first == "Ada: -1 points")
  }
}
