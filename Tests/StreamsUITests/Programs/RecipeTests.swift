import StreamsUI
import Testing

private enum Course: String, CaseIterable, Identifiable {
  case bread = "Bread"
  case soup = "Soup"
  var id: Self { self }
}

private struct Recipe: Identifiable, Hashable {
  let id: Int
  let name: String
  let course: Course
  var partner: Int?
}

@Observable private final class RecipeBox {
  let recipes = [
    Recipe(id: 1, name: "Rye", course: .bread, partner: 3),
    Recipe(id: 2, name: "Focaccia", course: .bread),
    Recipe(id: 3, name: "Borscht", course: .soup, partner: 1),
  ]
  var favorites: Set<Recipe.ID> = []

  func recipes(of course: Course) -> [Recipe] { recipes.filter { $0.course == course } }
  func partner(of recipe: Recipe) -> Recipe? { recipes.first { $0.id == recipe.partner } }
}

@Observable private final class Router {
  var path = NavigationPath()

  func goHome() { path.removeLast(path.count) }
}

private struct RecipeBrowser: View {
  @State private var box = RecipeBox()
  @State private var router = Router()

  var body: some View {
    NavigationStack(path: $router.path) {
      List(Course.allCases) { course in NavigationLink(course.rawValue, value: course) }
        .navigationTitle("Courses")
        .navigationDestination(for: Course.self) { RecipeList(course: $0) }
        .navigationDestination(for: Recipe.self) { RecipePage(recipe: $0) }
        .toolbar {
          Button("Surprise") {
            router.path.append(Course.soup)
            router.path.append(box.recipes[2])
          }
        }
    }
    .environment(box)
    .environment(router)
  }
}

private struct RecipeList: View {
  let course: Course
  @Environment(RecipeBox.self) private var box
  @State private var onlyFavorites = false

  private var shown: [Recipe] {
    box.recipes(of: course).filter { !onlyFavorites || box.favorites.contains($0.id) }
  }

  var body: some View {
    List {
      Toggle("Only favorites", isOn: $onlyFavorites)
      ForEach(shown) { recipe in
        NavigationLink(value: recipe) {
          Text(box.favorites.contains(recipe.id) ? "\(recipe.name) ★" : recipe.name)
        }
      }
    }
    .navigationTitle(course.rawValue)
  }
}

private struct RecipePage: View {
  let recipe: Recipe
  @Environment(RecipeBox.self) private var box
  @Environment(Router.self) private var router
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    VStack {
      Text("Page \(router.path.count)")
      Button("Favorite") { box.favorites.formSymmetricDifference([recipe.id]) }
      if let partner = box.partner(of: recipe) { NavigationLink("Goes with \(partner.name)", value: partner) }
      Button("Back") { dismiss() }
      Button("All courses") { router.goHome() }
    }
    .navigationTitle(recipe.name)
  }
}

/// A browser whose path holds values of two types.
@MainActor @Suite struct RecipeTests {
  private func makeHost() throws -> ViewHost {
    let host = ViewHost(RecipeBrowser())
    try host.update()
    return host
  }

  @Test func linksLeadDownAndBack() throws {
    let host = try makeHost()
    #expect(host.labels("Title") == ["Courses"] && host.labels("Button") == ["Surprise", "Bread", "Soup"])
    try host.tapEach("Bread", "Rye")
    #expect(host.labels("Title") == ["Rye"] && host.find("Page 2") != nil)
    try host.tapEach("Goes with Borscht", "Goes with Rye")
    #expect(host.labels("Title") == ["Rye"] && host.find("Page 4") != nil)
    try host.tapEach("Back")
    #expect(host.labels("Title") == ["Borscht"] && host.find("Page 3") != nil)
    try host.tapEach("All courses")
    #expect(host.labels("Title") == ["Courses"])
  }

  @Test func aPageBelowKeepsItsStateAndIsUpToDate() throws {
    let host = try makeHost()
    try host.tapEach("Bread", "Focaccia", "Favorite", "Back")
    #expect(host.labels("Button") == ["Rye", "Focaccia ★"])
    try host.act { try host.toggle("Only favorites") }
    try host.tapEach("Focaccia ★", "Back")
    #expect(host.labels("Button") == ["Focaccia ★"])
    try host.tapEach("Focaccia ★", "All courses", "Bread")
    #expect(host.labels("Button") == ["Rye", "Focaccia ★"])
  }

  @Test func severalPagesOpenTogether() throws {
    let host = try makeHost()
    try host.tapEach("Surprise")
    #expect(host.labels("Title") == ["Borscht"])
    try host.tapEach("Back")
    #expect(host.labels("Title") == ["Soup"] && host.labels("Button") == ["Borscht"])
  }
}
