import StreamsProperty

/// Rows, one below the other.
///
///     List(songs) { song in SongRow(song: song) }
///
/// With a binding for the selection, a row selects the value of its `tag(_:)`, or else, in a ``ForEach``, the identity of its
/// element. A row whose value is of another type than the selection cannot be selected. Where several rows can be selected,
/// selecting one that already is takes it out of the selection. With nil in place of the binding no row can be selected; rows keep
/// their state when that changes.
///
///     List(songs, selection: $chosen) { song in Text(song.title) }
///
/// With a ``ViewHost`` a row is selected by `select("Air")`, and deleted and moved by `delete("Air")` and
/// `move("Air", toOffset: 0)` if its ``ForEach`` has `onDelete(perform:)` and `onMove(perform:)`.
nonisolated public struct List<SelectionValue: Hashable, Content: View>: View {
  /// It has no body.
  public typealias Body = Never
  let content: Content
  var selection: ListSelection<SelectionValue>?

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    if SelectionValue.self == Never.self {
      let rows = Rows<SelectionValue, Content>(content: view.content)
      Rows._makeView(rows, inputs)
    } else {
      // Also without a binding: the rows stay the same if there is one later.
      inputs.place(SelectableRows(selection: view.selection, content: view.content))
    }
  }
}

/// The binding of a list's selection.
enum ListSelection<Value: Hashable> {
  case one(Binding<Value?>)
  case several(Binding<Set<Value>>)

  init?(_ binding: Binding<Value?>?) {
    guard let binding else { return nil }
    self = .one(binding)
  }

  init?(_ binding: Binding<Set<Value>>?) {
    guard let binding else { return nil }
    self = .several(binding)
  }

  var selected: Set<Value> {
    switch self {
    case .one(let binding): binding.wrappedValue.map { [$0] } ?? []
    case .several(let binding): binding.wrappedValue
    }
  }

  func select(_ value: Value) {
    switch self {
    case .one(let binding): binding.wrappedValue = value
    case .several(let binding): binding.wrappedValue.formSymmetricDifference([value])
    }
  }
}

/// It is evaluated when the selection changes; the view around the list is not.
nonisolated private struct SelectableRows<SelectionValue: Hashable, Content: View>: View, Silent {
  let selection: ListSelection<SelectionValue>?
  let content: Content

  @MainActor var body: some View {
    Rows(content: content, selected: selection?.selected ?? [], select: selection?.select)
  }
}

nonisolated private struct Rows<SelectionValue: Hashable, Content: View>: View {
  typealias Body = Never
  let content: Content
  var selected: Set<SelectionValue> = []
  var select: ((SelectionValue) -> Void)?

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "List")) {
      Content._makeMembers(view.content, inputs, RowVisitor(selected: view.selected, select: view.select))
    }
  }
}

/// Makes a row of each view that a user can select, delete or move.
private struct RowVisitor<SelectionValue: Hashable>: _MemberVisitor {
  let selected: Set<SelectionValue>
  let select: ((SelectionValue) -> Void)?

  func visit<V: View>(_ view: V, _ inputs: _ViewInputs) {
    let value = (trait(Tag.self, of: view)?.value ?? inputs.identity)?.base as? SelectionValue
    let row = inputs.row?.restricted(by: view)
    guard row != nil || select != nil && value != nil else { return V._makeView(view, inputs) }
    var element = Element(kind: "Row", row: row)
    if let value, let select {
      element.attributes["isSelected"] = "\(selected.contains(value))"
      element.action = .tap { select(value) }
    }
    inputs.element(element) { V._makeView(view, inputs) }
  }
}

extension List where SelectionValue == Never {
  /// Makes a row of each view.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// Makes a row of each element, which has an identity.
  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
    content = ForEach(data, content: rowContent)
  }

  /// Makes a row of each element, whose identity is at a key path.
  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {
    content = ForEach(data, id: id, content: rowContent)
  }

  /// Makes a row of a binding of each element, which has an identity.
  public init<C: MutableCollection & RandomAccessCollection, Row: View>(
    _ data: Binding<C>, @ViewBuilder rowContent: @escaping (Binding<C.Element>) -> Row
  ) where Content == ForEach<Binding<C>, C.Element.ID, Row>, C.Element: Identifiable {
    content = ForEach(data, content: rowContent)
  }
}

extension List {
  /// Makes a row of each view, of which several can be selected.
  public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
    (self.content, self.selection) = (content(), ListSelection(selection))
  }

  /// Makes a row of each view, of which one can be selected.
  public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
    (self.content, self.selection) = (content(), ListSelection(selection))
  }

  /// Makes a row of each element, which has an identity. Several can be selected.
  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, selection: Binding<Set<SelectionValue>>?,
    @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
    self.init(selection: selection) { ForEach(data, content: rowContent) }
  }

  /// Makes a row of each element, which has an identity. One can be selected.
  public init<Data: RandomAccessCollection, Row: View>(
    _ data: Data, selection: Binding<SelectionValue?>?,
    @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, Data.Element.ID, Row>, Data.Element: Identifiable {
    self.init(selection: selection) { ForEach(data, content: rowContent) }
  }

  /// Makes a row of each element, whose identity is at a key path. Several can be selected.
  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
    @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {
    self.init(selection: selection) { ForEach(data, id: id, content: rowContent) }
  }

  /// Makes a row of each element, whose identity is at a key path. One can be selected.
  public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
    _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
    @ViewBuilder rowContent: @escaping (Data.Element) -> Row
  ) where Content == ForEach<Data, ID, Row> {
    self.init(selection: selection) { ForEach(data, id: id, content: rowContent) }
  }
}
