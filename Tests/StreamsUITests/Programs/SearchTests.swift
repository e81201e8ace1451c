import StreamsUI
import Testing

@MainActor @Observable private final class SearchModel {
  var query = ""
  private(set) var results: [String] = []
  private(set) var isSearching = false
  private let pause: @MainActor () async throws -> Void
  private let find: @MainActor (String) async throws -> [String]

  init(
    pause: @escaping @MainActor () async throws -> Void,
    find: @escaping @MainActor (String) async throws -> [String]
  ) {
    (self.pause, self.find) = (pause, find)
  }

  /// Searches when the query has stayed as it is for a while.
  func search() async {
    if query.isEmpty {
      results = []
      return
    }
    do {
      try await pause()
      isSearching = true
      defer { isSearching = false }
      let found = try await find(query)
      try Task.checkCancellation()
      results = found
    } catch {}
  }
}

private struct SearchView: View {
  @State var model: SearchModel

  var body: some View {
    TextField("Search", text: $model.query)
    Status(model: model)
    List(model.results, id: \.self) { Text($0) }
      .task(id: model.query) { await model.search() }
  }
}

private struct Status: View {
  let model: SearchModel

  var body: some View { Text(model.isSearching ? "Searching" : "\(model.results.count) found") }
}

/// Pauses that end when the test says so, or when they are cancelled.
@MainActor private final class Pauses {
  private(set) var count = 0
  private var pausing: [AsyncStream<Void>.Continuation] = []

  func pause() async throws {
    // A task that has been cancelled before it ran still begins.
    try Task.checkCancellation()
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    count += 1
    pausing.append(continuation)
    for await _ in stream {}
    try Task.checkCancellation()
  }

  func end() {
    for continuation in pausing { continuation.finish() }
    pausing = []
  }
}

@MainActor private final class Index {
  let words = ["sand", "swift", "swim", "tree"]
  private(set) var queries: [String] = []

  func find(_ query: String) -> [String] {
    queries.append(query)
    return words.filter { $0.hasPrefix(query) }
  }
}

/// A search that waits until nothing is typed any more.
@MainActor @Suite(.timeLimit(.minutes(30))) struct SearchTests {
  private let pauses = Pauses()
  private let index = Index()

  private func makeHost() throws -> ViewHost {
    let (pauses, index) = (pauses, index)
    let host = ViewHost(
      SearchView(model: SearchModel(pause: { try await pauses.pause() }, find: { index.find($0) })))
    try host.update()
    return host
  }

  private func type(_ query: String, _ host: ViewHost) async throws {
    let count = pauses.count
    try host.act { try host.type(query, into: "Search") }
    try await host.update { pauses.count > count }
  }

  @Test func onlyTheLastQueryIsSearched() async throws {
    let host = try makeHost()
    for query in ["s", "sw", "swi"] { try await type(query, host) }
    #expect(index.queries == [] && host.find("0 found") != nil)
    pauses.end()
    try await host.update { host.find("2 found") != nil }
    #expect(index.queries == ["swi"] && host.texts.suffix(2) == ["swift", "swim"])
    try await type("swift", host)
    // The results stay until there are others.
    #expect(host.find("swim") != nil)
    pauses.end()
    try await host.update { host.find("1 found") != nil }
    #expect(index.queries == ["swi", "swift"] && host.texts.last == "swift")
  }

  @Test func noQueryIsNotSearched() async throws {
    let host = try makeHost()
    try await type("t", host)
    pauses.end()
    try await host.update { host.find("tree") != nil }
    try host.act { try host.type("", into: "Search") }
    try await host.update { host.find("0 found") != nil }
    #expect(host.find("tree") == nil)
    #expect(index.queries == ["t"] && pauses.count == 1)
  }

  @Test func leavingEndsTheSearch() async throws {
    weak var model: SearchModel?
    do {
      let (pauses, index) = (pauses, index)
      let searched = SearchModel(pause: { try await pauses.pause() }, find: { index.find($0) })
      model = searched
      let host = ViewHost(SearchView(model: searched))
      try host.update()
      try await type("s", host)
      host.unmount()
    }
    // The pause ends because its task is cancelled.
    try await runTasks { model == nil }
    #expect(index.queries == [])
  }
}
