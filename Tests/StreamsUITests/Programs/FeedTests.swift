import StreamsUI
import Testing

private struct Post: Identifiable, Sendable {
  let id: Int
  let title: String
}

private struct NoNetwork: Error, CustomStringConvertible { let description = "There is no network." }

@MainActor @Observable private final class Feed {
  private(set) var posts: [Post] = []
  private(set) var isLoading = false
  var problem: String?
  private let fetch: @MainActor () async throws -> [Post]

  init(fetch: @escaping @MainActor () async throws -> [Post]) { self.fetch = fetch }

  func load() async {
    isLoading = true
    defer { isLoading = false }
    do {
      posts = try await fetch()
    } catch is CancellationError {
    } catch {
      problem = "\(error)"
    }
  }
}

private struct FeedView: View {
  @State var feed: Feed
  @State private var isFailed = false

  var body: some View {
    NavigationStack {
      List(feed.posts) { post in PostRow(post: post) }
        .navigationTitle(feed.isLoading ? "Loading" : "Feed")
        .toolbar { RetryButton() }
    }
    .refreshable { await feed.load() }
    .task { await feed.load() }
    .onChange(of: feed.problem) { _, problem in isFailed = problem != nil }
    .alert("No posts", isPresented: $isFailed, presenting: feed.problem) { _ in
      Button("OK") { feed.problem = nil }
    } message: { problem in
      Text(problem)
    }
  }
}

private struct PostRow: View {
  let post: Post

  var body: some View { Text(post.title) }
}

/// A button that refreshes what it is in.
private struct RetryButton: View {
  @Environment(\.refresh) private var refresh

  var body: some View {
    Button("Retry") { Task { await refresh?() } }
      .disabled(refresh == nil)
  }
}

/// Answers in the order in which the test gives them.
@MainActor private final class Server {
  private(set) var requests = 0
  private let answers = AsyncStream<Result<[Post], NoNetwork>>.makeStream()

  func answer(_ titles: String...) {
    answers.continuation.yield(.success(titles.enumerated().map { Post(id: $0.offset, title: $0.element) }))
  }

  func fail() { answers.continuation.yield(.failure(NoNetwork())) }

  func fetch() async throws -> [Post] {
    requests += 1
    for await answer in answers.stream { return try answer.get() }
    throw CancellationError()
  }
}

/// A feed that loads when it appears, and again when it is refreshed.
@MainActor @Suite(.timeLimit(.minutes(30))) struct FeedTests {
  private let server = Server()

  private func makeHost() throws -> ViewHost {
    let server = server
    let host = ViewHost(FeedView(feed: Feed { try await server.fetch() }))
    try host.update()
    return host
  }

  private func loaded() async throws -> ViewHost {
    let host = try makeHost()
    try await host.update { server.requests == 1 && host.labels("Title") == ["Loading"] }
    server.answer("One", "Two")
    try await host.update { host.labels("Title") == ["Feed"] }
    return host
  }

  @Test func itLoadsWhenItAppears() async throws {
    let host = try await loaded()
    #expect(host.texts == ["Retry", "One", "Two"] && server.requests == 1)
  }

  @Test func aUserRefreshes() async throws {
    let host = try await loaded()
    async let refreshed: Void = host.refresh()
    try await host.update { server.requests == 2 && host.labels("Title") == ["Loading"] }
    // What is there stays until there is more.
    #expect(host.texts == ["Retry", "One", "Two"])
    server.answer("One", "Two", "Three")
    try await refreshed
    // The rows that are there already are not evaluated again.
    #expect(try host.evaluated().filter { $0 == "PostRow" }.count == 1)
    #expect(host.texts == ["Retry", "One", "Two", "Three"] && host.labels("Title") == ["Feed"])
  }

  @Test func aFailureIsShownAndRetried() async throws {
    let host = try await loaded()
    try host.tapEach("Retry")
    server.fail()
    try await host.update { host.labels("Alert") != [] }
    #expect(host.labels("Alert") == ["No posts There is no network. OK"])
    #expect(host.labels("Title") == ["Feed"] && host.find("Two") != nil)
    try host.tapEach("OK")
    #expect(host.labels("Alert") == [])
    try host.tapEach("Retry")
    server.answer("Four")
    try await host.update { host.find("Four") != nil }
    #expect(host.find("Two") == nil && server.requests == 3)
  }

  @Test func leavingCancelsTheRequest() async throws {
    weak var feed: Feed?
    do {
      let server = server
      let model = Feed { try await server.fetch() }
      feed = model
      let host = ViewHost(FeedView(feed: model))
      try await host.update { server.requests == 1 }
    }
    try await runTasks { feed == nil }
  }
}
