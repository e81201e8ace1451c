import StreamsUI
import Testing

@Observable private final class Todo: Identifiable {
  let id: Int
  var title: String
  var isDone = false

  init(id: Int, title: String) { (self.id, self.title) = (id, title) }
}

@Observable private final class TodoStore {
  private(set) var todos: [Todo] = []
  private var nextID = 0
  var openCount: Int { todos.count { !$0.isDone } }

  func add(_ title: String) {
    todos.append(Todo(id: nextID, title: title))
    nextID += 1
  }

  func delete(at offsets: IndexSet) { todos.remove(atOffsets: offsets) }

  func move(from source: IndexSet, to destination: Int) {
    todos.move(fromOffsets: source, toOffset: destination)
  }
}

private struct TodoList: View {
  @Environment(TodoStore.self) private var store
  @State private var isAdding = false

  var body: some View {
    NavigationStack {
      List {
        ForEach(store.todos) { todo in TodoRow(todo: todo) }
          .onDelete(perform: store.delete)
          .onMove(perform: store.move)
      }
      .navigationTitle("To do")
      .toolbar {
        ToolbarItem(placement: .status) { OpenCount() }
        ToolbarItem(placement: .primaryAction) {
          Button {
            isAdding = true
          } label: {
            Label("Add", systemImage: "plus")
          }
        }
      }
      .sheet(isPresented: $isAdding) { AddTodo() }
    }
  }
}

private struct OpenCount: View {
  @Environment(TodoStore.self) private var store

  var body: some View { Text("\(store.openCount) open") }
}

private struct TodoRow: View {
  @Bindable var todo: Todo

  var body: some View { Toggle(todo.title, isOn: $todo.isDone) }
}

private struct AddTodo: View {
  @Environment(TodoStore.self) private var store
  @Environment(\.dismiss) private var dismiss
  @State private var title = ""

  var body: some View {
    Form {
      TextField("Title", text: $title)
      Button("Save") {
        store.add(title)
        dismiss()
      }
      .disabled(title.isEmpty)
      Button("Cancel", role: .cancel) { dismiss() }
    }
  }
}

/// A to-do list with a sheet to add to it.
@MainActor @Suite struct TodoTests {
  private let store = TodoStore()

  private func makeHost(_ titles: String...) throws -> ViewHost {
    for title in titles { store.add(title) }
    let host = ViewHost(TodoList().environment(store))
    try host.update()
    return host
  }

  @Test func theSheetAdds() throws {
    let host = try makeHost()
    try host.tapEach("Add")
    #expect(throws: ViewHost.ActionError.disabled(label: "Save")) { try host.tap("Save") }
    try host.act { try host.type("Milk", into: "Title") }
    #expect(try host.evaluated { try host.tap("Save") }.sorted() == ["OpenCount", "TodoList", "TodoRow"])
    #expect(host.labels("Row") == ["Milk"] && host.labels("Sheet") == [] && host.find("1 open") != nil)
    // The next sheet begins anew.
    try host.tapEach("Add")
    #expect(host.value("Title") == "")
    try host.act { try host.type("Tea", into: "Title") }
    try host.tapEach("Cancel")
    #expect(host.labels("Row") == ["Milk"] && host.labels("Sheet") == [])
  }

  @Test func whatIsDoneIsNoLongerOpen() throws {
    let host = try makeHost("Milk", "Tea")
    #expect(try host.evaluated { try host.toggle("Tea") } == ["OpenCount"])
    #expect(host.find("1 open") != nil)
    #expect(host.first { $0.kind == "Toggle" && $0.label == "Tea" }?.attributes["isOn"] == "true")
    #expect(try host.evaluated { store.todos[0].title = "Oat milk" } == ["TodoRow"])
    #expect(host.labels("Row") == ["Oat milk", "Tea"])
  }

  @Test func rowsAreMovedAndDeleted() throws {
    let host = try makeHost("Milk", "Tea", "Bread")
    try host.act { try host.toggle("Bread") }
    #expect(try host.evaluated { try host.move("Bread", toOffset: 0) }.contains("TodoRow") == false)
    #expect(host.labels("Row") == ["Bread", "Milk", "Tea"] && host.find("2 open") != nil)
    try host.act { try host.delete("Milk") }
    #expect(host.labels("Row") == ["Bread", "Tea"] && store.todos.map(\.title) == ["Bread", "Tea"])
    #expect(host.find("1 open") != nil)
    #expect(host.first { $0.kind == "Toggle" }?.attributes["isOn"] == "true")
  }
}
