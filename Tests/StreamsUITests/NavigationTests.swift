import StreamsUI
import Testing

@MainActor @Suite struct NavigationTests {
  private struct Recipe: Hashable, Identifiable {
    let id: Int
    var name: String { "recipe \(id)" }
  }

  private struct RecipeView: View {
    let recipe: Recipe
    @State private var count = 0
    @Environment(\.dismiss) private var dismiss
    @Environment(\.isPresented) private var isPresented
    var body: some View {
      Button("\(recipe.name) \(count) \(isPresented)") { count += 1 }
      NavigationLink("next", value: Recipe(id: recipe.id + 1))
      NavigationLink("step", value: "step of \(recipe.id)")
      Button("back") { dismiss() }
    }
  }

  private struct Browser: View {
    @State private var taps = 0
    @State private var path: NavigationPath
    init(_ path: NavigationPath = NavigationPath()) { _path = State(wrappedValue: path) }

    var body: some View {
      Text("depth \(path.count)")
      Button("home") { path = NavigationPath() }
      NavigationStack(path: $path) {
        Button("taps \(taps)") { taps += 1 }
        ForEach(1..<3) { NavigationLink("open \($0)", value: Recipe(id: $0)) }
          .navigationTitle("Recipes")
          .navigationDestination(for: Recipe.self) { RecipeView(recipe: $0) }
          .navigationDestination(for: String.self) { Text("\($0), \(taps)") }
      }
    }
  }

  private func act(_ host: ViewHost, _ labels: String...) throws {
    for label in labels {
      try host.tap(label)
      try host.update()
    }
  }

  @Test func linksAndThePathLead() throws {
    let host = ViewHost(Browser())
    try host.update()
    #expect(host.find("Recipes")?.kind == "Title")
    try act(host, "taps 0", "open 2")
    #expect(host.find("recipe 2 0 true") != nil && host.find("taps 1") == nil)
    try act(host, "recipe 2 0 true", "next")
    #expect(host.find("recipe 3 0 true") != nil && host.find("depth 2") != nil)
    try act(host, "back")
    // What is below has kept its state.
    #expect(host.find("recipe 2 1 true") != nil)
    try act(host, "step")
    #expect(host.find("step of 2, 1") != nil)
    try act(host, "home")
    #expect(host.find("taps 1") != nil && host.find("depth 0") != nil)
    try act(host, "open 2")
    #expect(host.find("recipe 2 0 true") != nil)
  }

  @Test func aPathMayBeThereFromTheBeginning() throws {
    var path = NavigationPath([Recipe(id: 1), Recipe(id: 7)])
    path.append("end")
    path.removeLast()
    let host = ViewHost(Browser(path))
    try host.update()
    #expect(host.find("recipe 7 0 true") != nil && host.errors.isEmpty)
    try act(host, "back", "back")
    #expect(host.find("taps 0") != nil)
  }

  private struct Typed: View {
    @State private var path: [Int] = [1]
    var body: some View {
      Text("path \(path)")
      NavigationStack(path: $path) {
        Text("root").navigationDestination(for: Int.self) { number in
          NavigationLink("add", value: number + 1)
          NavigationLink("wrong", value: "text")
          NavigationLink("none", value: nil as Int?)
        }
      }
    }
  }

  @Test func aTypedPathTakesItsType() throws {
    let host = ViewHost(Typed())
    try host.update()
    try act(host, "add", "add", "wrong")
    #expect(host.find("path [1, 2, 3]") != nil)
    #expect(throws: ViewHost.ActionError.disabled(label: "none")) { try host.tap("none") }
  }

  private struct Opener: View {
    let open: () -> Void
    @State private var path = [1]
    var body: some View {
      NavigationStack(path: $path) {
        NavigationLink("open") { Text("page") }
          .navigationDestination(for: Int.self) { _ in Button("home") { path = [] } }
      }
      .onChange(of: path) { open() }
    }
  }

  @Test func aLinkMayBeOpenedWhenThePathHasChanged() throws {
    weak var known: ViewHost?
    let host = ViewHost(Opener { try? known?.tap("open") })
    known = host
    try host.update()
    try act(host, "home")
    #expect(host.find("page") != nil)
  }

  private struct Lost: View {
    @State private var hasDestination = false
    @State private var isThere = true
    var body: some View {
      Button("mend") { hasDestination = true }
      Button("leave") { isThere = false }
      if isThere {
        NavigationStack {
          if hasDestination {
            Text("root").navigationDestination(for: Int.self) { Text("number \($0)") }
          }
          NavigationLink("go", value: 5)
        }
      }
    }
  }

  @Test func aValueWithoutAViewIsAnError() throws {
    let host = ViewHost(Lost())
    try host.update()
    try host.tap("go")
    let error = #expect(throws: ViewHost.MissingDestination.self) { try host.update() }
    #expect(error?.description.contains("no view for a Int in Lost") == true)
    try host.tap("mend")
    try host.update()
    #expect(host.find("number 5") != nil && host.errors.isEmpty)
    let other = ViewHost(Lost())
    try other.update()
    try other.tap("go")
    #expect(throws: ViewHost.MissingDestination.self) { try other.update() }
    try other.tap("leave")
    try other.update()
  }

  @Test func onlyWhatAChangeConcernsIsEvaluated() throws {
    let host = ViewHost(Browser(NavigationPath([Recipe(id: 1)])))
    try host.update()
    #expect(try host.evaluated { try host.tap("recipe 1 0 true") } == ["RecipeView"])
    #expect(try host.evaluated { try host.tap("next") }.filter { $0 == "RecipeView" }.count == 1)
  }
}
