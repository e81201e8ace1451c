import StreamsUI
import Testing

/// What sheets, pages and tabs keep, they let go of.
@MainActor @Suite struct OverlayLifetimeTests {
  final class Census {
    var count = 0
  }

  @Observable final class Model {
    private let census: Census
    var number = 0
    init(_ census: Census) {
      self.census = census
      census.count += 1
    }
    deinit { census.count -= 1 }
  }

  private final class Owner: ObservableObject {
    let model: Model
    init(_ census: Census) { model = Model(census) }
  }

  private struct Keeper: View {
    @StateObject private var owner: Owner
    init(_ census: Census) { _owner = StateObject(wrappedValue: Owner(census)) }
    var body: some View { Button("number \(owner.model.number)") { owner.model.number += 1 } }
  }

  private struct Screen: View {
    let census: Census
    @State var isShown = false
    @State var path: [Int] = []
    @State var tab = 0
    @State var hasTabs = false

    var body: some View {
      Button("sheet") { isShown.toggle() }
        .sheet(isPresented: $isShown) { Keeper(census) }
      Button("page") { path = path.isEmpty ? [1, 2] : [] }
      NavigationStack(path: $path) {
        Text("root").navigationDestination(for: Int.self) { _ in Keeper(census) }
      }
      Button("tabs") { hasTabs.toggle() }
      if hasTabs {
        TabView(selection: $tab) { ForEach(0..<3) { _ in Keeper(census) } }
      }
    }
  }

  @Test func theyAreReleasedWhenTheyAreGone() throws {
    let census = Census()
    let host = ViewHost(Screen(census: census))
    try host.update()
    for (label, kept) in [("sheet", 1), ("page", 2), ("tabs", 1)] {
      for round in 0..<20 {
        try host.tap(label)
        try host.update()
        #expect(census.count == (round % 2 == 0 ? kept : 0), "\(label), \(round)")
        if round % 2 == 0 {
          try host.tap("number 0")
          try host.update()
          #expect(host.find("number 1") != nil)
        }
      }
    }
    for label in ["sheet", "page", "tabs"] {
      try host.tap(label)
      try host.update()
    }
    #expect(census.count == 4)
    host.unmount()
    #expect(census.count == 0)
  }
}
