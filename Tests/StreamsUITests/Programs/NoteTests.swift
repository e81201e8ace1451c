import StreamsUI
import Testing

@Observable private final class Note: Identifiable {
  let id: Int
  var title: String
  var text = ""
  var isPinned = false
  var wordCount: Int { text.split(separator: " ").count }

  init(id: Int, title: String) { (self.id, self.title) = (id, title) }
}

@Observable private final class Notebook {
  var notes: [Note]

  init(_ titles: [String]) { notes = titles.enumerated().map { Note(id: $0.offset, title: $0.element) } }
}

private struct NotebookView: View {
  let notebook: Notebook
  @State private var edited: Note?

  var body: some View {
    List(notebook.notes) { note in
      NoteRow(note: note) { edited = note }
    }
    .sheet(item: $edited) { NoteEditor(note: $0) }
  }
}

private struct NoteRow: View {
  let note: Note
  let edit: () -> Void

  var body: some View {
    HStack {
      if note.isPinned { Image(systemName: "pin") }
      Button(note.title) { edit() }
      WordCount(note: note)
    }
  }
}

private struct WordCount: View {
  let note: Note

  var body: some View { Text("\(note.wordCount) words") }
}

private struct NoteEditor: View {
  @Bindable var note: Note
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    Form {
      TextField("Title", text: $note.title)
      TextField("Text", text: $note.text)
      Toggle("Pinned", isOn: $note.isPinned)
      Button("Done") { dismiss() }
    }
  }
}

/// An editor of one element of many, of which no other row is evaluated.
@MainActor @Suite struct NoteTests {
  private let notebook = Notebook((0..<50).map { "Note \($0)" })

  private func makeHost() throws -> ViewHost {
    let host = ViewHost(NotebookView(notebook: notebook))
    try host.update()
    return host
  }

  @Test func editingOneEvaluatesItsRow() throws {
    let host = try makeHost()
    try host.tapEach("Note 7")
    #expect(host.value("Title") == "Note 7")
    #expect(try host.evaluated { try host.type("Seven", into: "Title") } == ["NoteRow"])
    #expect(try host.evaluated { try host.type("one two three", into: "Text") } == ["WordCount"])
    #expect(try host.evaluated { try host.toggle("Pinned") } == ["NoteRow"])
    #expect(host.labels("Sheet") == ["Title Text Pinned Done"] && host.labels("Image") == ["pin"])
    try host.tapEach("Done")
    #expect(Array(host.texts[12..<18]) == ["Note 6", "0 words", "Seven", "3 words", "Note 8", "0 words"])
    #expect(notebook.notes[7].title == "Seven" && notebook.notes[7].isPinned)
  }

  @Test func theEditorShowsWhatOthersChange() throws {
    let host = try makeHost()
    try host.tapEach("Note 3")
    #expect(try host.evaluated { notebook.notes[3].title = "Three" } == ["NoteRow"])
    #expect(host.value("Title") == "Three")
    #expect(try host.evaluated { notebook.notes[4].title = "Four" } == ["NoteRow"])
    #expect(host.value("Title") == "Three")
  }

  @Test func eachNoteHasAnEditorOfItsOwn() throws {
    let host = try makeHost()
    try host.tapEach("Note 1")
    try host.act { try host.type("One", into: "Title") }
    try host.tapEach("Note 2")
    #expect(host.labels("Sheet").count == 1 && host.value("Title") == "Note 2")
    try host.act { try host.type("Two", into: "Title") }
    #expect(notebook.notes.prefix(3).map(\.title) == ["Note 0", "One", "Two"])
  }

  @Test func aNoteThatIsDeletedIsReleasedWithItsEditor() throws {
    let host = try makeHost()
    weak let note = notebook.notes[5]
    try host.tapEach("Note 5")
    try host.act { notebook.notes.remove(at: 5) }
    // The sheet still has it.
    #expect(note != nil && host.value("Title") == "Note 5" && host.labels("Button").count == 50)
    try host.tapEach("Done")
    #expect(host.labels("Sheet") == [] && note == nil)
  }
}
