import StreamsUI
import Testing

@MainActor @Suite struct SheetTests {
  private struct Book: Identifiable, Equatable {
    let id: Int
    var title: String
  }

  private struct Notes: View {
    let title: String
    @State private var count = 0
    @Environment(\.dismiss) private var dismiss
    @Environment(\.isPresented) private var isPresented

    var body: some View {
      Text("\(title) \(count) \(isPresented)")
      Button("note") { count += 1 }
      Button("close") { dismiss() }
    }
  }

  private struct Shelf: View {
    let log: (String) -> Void
    @State private var chosen: Book?
    @State private var isHelped = false

    var body: some View {
      Button("help") { isHelped = true }
        .sheet(isPresented: $isHelped, onDismiss: { log("helped") }) { Notes(title: "help") }
      ForEach(1..<3) { number in
        Button("book \(number)") { chosen = Book(id: number, title: "title \(number)") }
      }
      .sheet(item: $chosen, onDismiss: { log("closed") }) { Notes(title: $0.title) }
      Button("rename") { chosen?.title = "renamed" }
    }
  }

  @Test func aSheetIsShownWhileItsBindingIsTrue() throws {
    var log: [String] = []
    let host = ViewHost(Shelf { log.append($0) })
    try host.update()
    #expect(host.first { $0.kind == "Sheet" } == nil)
    try host.tap("help")
    try host.update()
    #expect(host.first { $0.kind == "Sheet" }?.label.hasPrefix("help 0 true") == true)
    try host.tap("close")
    try host.update()
    #expect(host.first { $0.kind == "Sheet" } == nil && log == ["helped"])
  }

  @Test func eachItemHasASheetOfItsOwn() throws {
    var log: [String] = []
    let host = ViewHost(Shelf { log.append($0) })
    try host.update()
    for label in ["book 1", "note", "rename"] {
      try host.tap(label)
      try host.update()
    }
    // The same item keeps its state.
    #expect(host.find("renamed 1 true") != nil && log == [])
    try host.tap("book 2")
    try host.update()
    #expect(host.find("title 2 0 true") != nil && log == ["closed"])
    try host.tap("close")
    try host.update()
    #expect(host.first { $0.kind == "Sheet" } == nil && log == ["closed", "closed"])
  }

  private struct Asking: View {
    @State private var isAsking = false
    @State private var isChoosing = false
    @State private var failure: String?
    @State private var items = ["a"]

    var body: some View {
      Text("items: \(items.joined())")
      Button("delete") { isAsking = true }
        .alert("Delete everything?", isPresented: $isAsking) {
          Button("Yes", role: .destructive) { items = [] }
          Button("No", role: .cancel) {}
        } message: {
          Text("It cannot be undone.")
        }
      Button("add") { isChoosing = true }
        .confirmationDialog("What?", isPresented: $isChoosing, titleVisibility: .hidden) {
          ForEach(["b", "c"], id: \.self) { name in Button(name) { items.append(name) } }
        }
      Button("fail") { failure = "no disk" }
        .alert("Failed", isPresented: .constant(true), presenting: failure) { _ in
        } message: {
          Text($0)
        }
        .confirmationDialog("Retry?", isPresented: .constant(true), presenting: failure) { reason in
          Button("Retry after \(reason)") { failure = nil }
        }
    }
  }

  @Test func anAlertClosesAfterEachOfItsButtons() throws {
    let host = ViewHost(Asking())
    try host.update()
    let alert = { host.first { $0.kind == "Alert" } }
    #expect(alert() == nil)
    try host.tap("delete")
    try host.update()
    #expect(alert()?.label == "Delete everything? It cannot be undone. Yes No")
    try host.tap("No")
    try host.update()
    #expect(alert() == nil && host.find("items: a") != nil)
    try host.tap("delete")
    try host.update()
    try host.tap("Yes")
    try host.update()
    #expect(alert() == nil && host.find("items: ") != nil)
  }

  @Test func aDialogOffersChoices() throws {
    let host = ViewHost(Asking())
    try host.update()
    try host.tap("add")
    try host.update()
    #expect(host.first { $0.kind == "ConfirmationDialog" }?.label == "b c")
    try host.tap("c")
    try host.update()
    #expect(host.first { $0.kind == "ConfirmationDialog" } == nil && host.find("items: ac") != nil)
  }

  @Test func alertsAndDialogsAboutDataNeedThem() throws {
    let host = ViewHost(Asking())
    try host.update()
    try host.tap("fail")
    try host.update()
    #expect(host.labels("Alert") == ["Failed no disk OK"])
    #expect(host.labels("ConfirmationDialog") == ["Retry? Retry after no disk"])
    try host.tapEach("Retry after no disk")
    #expect(host.labels("Alert") == [] && host.labels("ConfirmationDialog") == [])
  }

  /// A sheet within an alert's view is no part of it.
  private struct Nested: View {
    @State private var isOuter = true
    @State private var isInner = true
    var body: some View {
      Text("base").sheet(isPresented: $isOuter) {
        Button("outer") {}
          .popover(isPresented: $isInner) { Button("inner") {} }
      }
    }
  }

  @Test func buttonsOfASheetDoNotCloseIt() throws {
    let host = ViewHost(Nested())
    try host.update()
    for label in ["outer", "inner"] {
      try host.tap(label)
      #expect(try host.evaluated() == [])
    }
    #expect(host.find("inner") != nil)
  }

  private struct Covered: View {
    @State private var path: [Int] = []
    @State private var tab = 0
    @State private var isAsking = false
    @State private var item: Book?
    var body: some View {
      TabView(selection: $tab) {
        NavigationStack(path: $path) {
          VStack {
            NavigationLink("go", value: 1)
              .alert("sure?", isPresented: $isAsking) { Button("tab two") { tab = 1 } }
          }
          .navigationDestination(for: Int.self) { number in
            Text("page \(number)")
            Button("ask") { isAsking = true }
            Button("choose") { item = Book(id: 1, title: "one") }
          }
        }
        .sheet(item: $item) { chosen in
          Text("item \(chosen.title)")
          Button("ask there") { isAsking = true }
        }
        .tag(0)
        Text("two").tag(1)
      }
      Button("one") { tab = 0 }
      Button("none") { item = nil }
    }
  }

  @Test func aCoveredViewPresents() throws {
    let host = ViewHost(Covered())
    try host.update()
    try host.tapEach("go", "ask")
    #expect(host.labels("Alert") == ["sure? tab two"] && host.labels("Page").contains("page 1 ask choose"))
    #expect(host.description == host.treeMadeAnew.children.map(\.description).joined(separator: "\n"))
    // It goes away with its flag.
    try host.tapEach("tab two")
    #expect(host.labels("Alert") == [] && host.texts.contains("two") && !host.texts.contains("page 1"))
    try host.tapEach("one", "choose", "ask there")
    #expect(host.labels("Alert").count == 1 && host.labels("Sheet") == ["item one ask there"])
    // Neither is hidden with its tab.
    try host.tapEach("tab two")
    #expect(host.labels("Alert") == [] && host.labels("Sheet") == ["item one ask there"])
    try host.tapEach("none")
    #expect(host.texts == ["two", "one", "none"])
  }
}
