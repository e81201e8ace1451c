import StreamsUI

/// Parts with pages, of which one is shown.
struct PagesPart: View {
  @ObservedObject var part: Part

  var body: some View {
    switch part.kind {
    case .tabs: TabView(selection: $part.number) { tabs }
    case .ownTabs: TabView(selection: nil as Binding<Int>?) { tabs }
    case .values:
      NavigationStack(path: $part.path) {
        Children(part: part)
          .navigationTitle("title \(part.text)")
          .navigationDestination(for: Int.self) { ValuePage(part: part, value: $0) }
        NavigationLink("link", value: part.number)
      }
    case .values2:
      NavigationStack(path: $part.path) {
        Children(part: part).navigationDestination(for: Int.self) { FlagPage(part: part, value: $0) }
      }
    case .flagPage:
      NavigationStack {
        Children(part: part).navigationDestination(isPresented: $part.isOn) {
          Leave()
          PartCounter(part, "page")
        }
      }
    case .itemPage:
      NavigationStack {
        VStack { Children(part: part) }
          .navigationDestination(item: $part.chosen) { value in
            Leave()
            PartCounter(part, "page \(value)", flavor: value)
          }
      }
    case .mixedPages: MixedPages(part: part)
    default: NotePages(note: part.note, part: part)
    }
  }

  private var tabs: some View {
    ForEach(part.children) { child in PartView(part: child).tabItem { Text("tab \(child.id)") } }
  }
}

private struct ValuePage: View {
  @ObservedObject var part: Part
  let value: Int
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    PartCounter(part, "value \(value)", flavor: value)
    Button("pop") { dismiss() }
    NavigationLink("link", value: value + 1)
  }
}

private struct FlagPage: View {
  @ObservedObject var part: Part
  let value: Int
  @State private var isShown = false

  var body: some View {
    PartCounter(part, "value \(value)", flavor: value)
      .navigationDestination(isPresented: $isShown) { Text("never") }
  }
}

struct Leave: View {
  @Environment(\.dismiss) private var dismiss
  @Environment(\.isPresented) private var isPresented

  var body: some View { Button("leave \(isPresented)") { dismiss() } }
}

/// A page for a flag among those for values.
private struct MixedPages: View {
  @ObservedObject var part: Part

  var body: some View {
    NavigationStack(path: $part.path) {
      VStack { Children(part: part) }
        .navigationDestination(isPresented: $part.isOn) {
          Leave()
          PartCounter(part, "page")
        }
        .navigationDestination(for: Int.self) { value in
          Leave()
          PartCounter(part, "value \(value)", flavor: value)
          NavigationLink("link", value: value)
        }
    }
  }
}

private struct NotePages: View {
  @Bindable var note: PartNote
  @ObservedObject var part: Part

  var body: some View {
    NavigationStack(path: $note.path) {
      List(0..<2, id: \.self, selection: $part.chosen) { Text("row \($0) \(note.text)") }
        .navigationDestination(for: Int.self) { value in
          PartCounter(part, "value \(value)", text: note.text, flavor: value)
        }
    }
  }
}

/// Parts that present something above them.
struct PresentingPart: View {
  @ObservedObject var part: Part

  var body: some View {
    switch part.kind {
    case .sheet: Children(part: part).sheet(isPresented: $part.isOn) { PartCounter(part, "sheet") }
    case .itemSheet:
      Group { ForEach(part.children) { PartView(part: $0) } }
        .sheet(item: $part.item) { PartCounter(part, "sheet \($0.id)", text: $0.text, flavor: $0.id) }
    case .noteSheet: NoteSheet(note: part.note, part: part)
    case .rowSheet: rowSheet
    case .stackSheet:
      Children(part: part).sheet(isPresented: $part.isOn) {
        NavigationStack {
          Children(part: part).navigationDestination(item: $part.chosen) { value in
            Leave()
            PartCounter(part, "page \(value)", flavor: value)
          }
        }
      }
    case .popover:
      Children(part: part).popover(isPresented: $part.isOn) {
        PartCounter(part, "popover")
        Children(part: part)
      }
    case .rowPopovers:
      List {
        ForEach(part.children) { child in
          PartView(part: child).popover(isPresented: isChosen(child)) {
            Leave()
            PartCounter(part, "popover \(child.id)", flavor: child.id)
          }
        }
      }
    case .alert:
      Children(part: part).alert("alert \(part.text)", isPresented: $part.isOn) {
        PartCounter(part, "alert")
      } message: {
        Text("message \(part.number)")
      }
    default:
      Children(part: part).confirmationDialog("dialog", isPresented: $part.isOn, presenting: part.item) {
        item in
        Button("choose \(item.text)") {}
        PartCounter(part, "dialog")
      }
    }
  }

  private func isChosen(_ child: Part) -> Binding<Bool> {
    Binding(get: { part.chosen == child.id }, set: { part.chosen = $0 ? child.id : nil })
  }

  private var rowSheet: some View {
    Section("header") {
      ForEach(part.children) { child in
        VStack { PartView(part: child) }.onChange(of: child.text) { part.amount = 2 }
      }
    }
    .sheet(item: $part.item) { item in
      Leave()
      TextField("S", text: Binding(get: { part.item?.text ?? "" }, set: { part.item?.text = $0 }))
      PartCounter(part, "sheet \(item.id)", text: item.text, flavor: item.id)
    }
  }
}

private struct NoteSheet: View {
  @Bindable var note: PartNote
  let part: Part

  var body: some View {
    Children(part: part).sheet(isPresented: $note.flag) { PartCounter(part, "sheet", text: note.text) }
  }
}
