import StreamsProperty

/// Rows, one below the other.
///
///     List(songs) { song in SongRow(song: song) }
nonisolated public struct List<SelectionValue: Hashable, Content: View>: View {
  /// It has no body.
  public typealias Body = Never
  let content: Content

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "List")) { Content._makeView(view.content, inputs) }
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
