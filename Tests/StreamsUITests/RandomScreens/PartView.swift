import StreamsUI

/// The views of the parts in a part.
struct Children: View {
  @ObservedObject var part: Part

  var body: some View { ForEach(part.children) { PartView(part: $0) } }
}

/// The view of a part.
struct PartView: View {
  @ObservedObject var part: Part

  var body: some View {
    switch part.kind {
    case .text: Text("T\(part.text)\(part.note.text)").preference(key: Sum.self, value: part.number)
    case .counter: PartCounter(part, "")
    case .toggle: Toggle("Z\(part.text)", isOn: $part.isOn)
    case .field: TextField("F\(part.number)", text: $part.text)
    case .slider: Slider(value: $part.amount, in: 0...4, step: 1) { PartCounter(part, "slider") }
    case .stepper: Stepper("P\(part.number)", value: $part.number, in: 0...4)
    case .picker, .boundFields, .optionalField, .bindable: InputPart(part: part)
    case .list, .severalList, .partlyList, .boundList: ListPart(part: part)
    case .level, .object, .note, .closed, .reader, .preference: GivingPart(part: part)
    case .receiver: Receiver(part: part)
    case .derived: Derived(part: part)
    case .mirror: Mirrored(part: part)
    case .equatable: Compared(part: part, id: part.id, number: part.number).equatable()
    case .tabs, .ownTabs, .values, .values2, .flagPage, .itemPage, .mixedPages, .noteValues:
      PagesPart(part: part)
    case .sheet, .itemSheet, .noteSheet, .rowSheet, .stackSheet, .popover, .rowPopovers, .alert, .dialog:
      PresentingPart(part: part)
    case .group, .stack, .choice, .condition, .erased, .section, .form, .toolbar, .identity, .innerIdentity,
      .twice, .tuple, .disclosure, .ownDisclosure:
      ContainerPart(part: part)
    }
  }
}

private struct ContainerPart: View {
  @ObservedObject var part: Part

  var body: some View {
    switch part.kind {
    case .group:
      Group {
        ForEach(part.children) { PartView(part: $0) }
        if part.isOn { PartCounter(part, "group") }
      }
      .disabled(part.number == 3)
    case .stack:
      VStack {
        PartCounter(part, "stack")
        Children(part: part)
      }
    case .choice: if part.isOn { Children(part: part) } else { PartCounter(part, "else") }
    case .condition:
      if part.isOn {
        PartCounter(part, "if")
        Children(part: part)
      }
    case .erased: erased
    case .section:
      Section {
        ForEach(part.children) { PartView(part: $0) }
      } header: {
        PartCounter(part, "header")
      } footer: {
        if part.isOn { PartCounter(part, "footer") }
      }
    case .form:
      Form {
        ZStack { Children(part: part) }
        Label("label \(part.number)", systemImage: "image")
      }
    case .toolbar:
      Children(part: part).toolbar {
        ToolbarItem { PartCounter(part, "bar") }
        if part.isOn { ToolbarItem { Text("more") } }
      }
    case .identity: PartCounter(part, "identity").id(part.number)
    case .innerIdentity: VStack { Children(part: part).id(part.isOn) }
    case .twice: Children(part: part).modifier(Twice(isOn: part.isOn))
    case .tuple:
      Group {
        Group {
          PartCounter(part, "first")
          if part.isOn { EmptyView() }
        }
        AnyView(ForEach(0..<part.number, id: \.self) { PartCounter(part, "of \($0)", flavor: $0) })
        Optional.some(Text("last"))
      }
    case .disclosure:
      DisclosureGroup("D\(part.text)", isExpanded: $part.isOn) {
        PartCounter(part, "inside")
        Children(part: part)
      }
    default:
      DisclosureGroup(isExpanded: $part.number.isMore) {
        PartCounter(part, "inside")
      } label: {
        PartCounter(part, "label")
      }
    }
  }

  private var erased: AnyView {
    let counter = PartCounter(part, "erased")
    if part.isOn { return AnyView(VStack { counter }) }
    return AnyView(
      HStack {
        counter
        AnyView(Children(part: part))
      })
  }
}

extension Int {
  /// As a flag.
  fileprivate var isMore: Bool {
    get { self > 1 }
    set { self = newValue ? 2 : 0 }
  }
}

private struct Twice: ViewModifier {
  let isOn: Bool

  func body(content: Content) -> some View {
    VStack {
      content
      if isOn { content }
    }
  }
}

private struct Compared: View, Equatable {
  let part: Part
  let id: Int
  let number: Int

  nonisolated static func == (one: Self, other: Self) -> Bool {
    (one.id, one.number) == (other.id, other.number)
  }

  var body: some View {
    Text("Q\(number)")
    PartCounter(part, "compared", text: "\(number)")
  }
}

private struct ListPart: View {
  @ObservedObject var part: Part

  var body: some View {
    switch part.kind {
    case .list:
      List(selection: $part.chosen) {
        ForEach(part.children) { PartView(part: $0) }
          .onDelete { part.children.remove(atOffsets: $0) }
          .onMove { part.children.move(fromOffsets: $0, toOffset: $1) }
      }
    case .severalList: List(part.children, selection: $part.several) { PartView(part: $0) }
    case .partlyList:
      List(part.children, selection: part.isOn ? $part.chosen : nil) { PartView(part: $0) }
    default:
      List(selection: $part.chosen) {
        ForEach($part.items) { $item in Toggle("B\(item.id)", isOn: $item.isFirst) }
          .onDelete { part.items.remove(atOffsets: $0) }
      }
    }
  }
}

extension PartItem {
  fileprivate var isFirst: Bool {
    get { text == "i1" }
    set { text = newValue ? "i1" : "i0" }
  }
}

private struct InputPart: View {
  @ObservedObject var part: Part

  var body: some View {
    switch part.kind {
    case .picker:
      Picker("K", selection: $part.number) {
        ForEach(0..<3) { Text("k\($0)").tag($0) }
        if part.isOn { Text("more").tag(4) }
      }
    case .boundFields:
      ForEach($part.items) { $item in
        TextField("I\(item.id)", text: $item.text)
        PartCounter(part, "item \(item.id)", text: item.text, flavor: item.id)
      }
    case .optionalField:
      if let item = Binding($part.item) {
        TextField("O", text: item.text)
      } else {
        PartCounter(part, "no item")
      }
    default: BindablePart(note: part.note, part: part)
    }
  }
}

private struct BindablePart: View {
  @Bindable var note: PartNote
  let part: Part

  var body: some View {
    TextField("N", text: $note.text)
    Toggle("flag", isOn: $note.flag)
    if note.flag { PartCounter(part, "flag", text: note.text) }
  }
}
