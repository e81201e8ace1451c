import StreamsProperty

/// A view for each element of a collection. A view keeps its state while its element's identity is in the collection, even if the
/// element moves.
///
///     ForEach(songs) { song in SongRow(song: song) }
///     ForEach(0..<3) { Text("\($0)") }
///     ForEach($songs) { $song in TextField("Title", text: $song.title) }
nonisolated public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  /// The elements.
  public var data: Data
  /// Makes an element's view.
  public var content: (Data.Element) -> Content
  let identify: (Data.Element) -> ID
  var edits = _Edits()

  init(data: Data, identify: @escaping (Data.Element) -> ID, content: @escaping (Data.Element) -> Content) {
    (self.data, self.identify, self.content) = (data, identify, content)
  }
}

extension ForEach: View where Content: View {
  /// It has no body.
  public typealias Body = Never

  nonisolated public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    go(through: view, inputs, nil)
  }

  nonisolated public static var _isSeveral: Bool { true }

  nonisolated public static func _makeMembers(
    _ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor
  ) {
    go(through: view, inputs, visitor)
  }

  nonisolated private static func go(
    through view: Self, _ inputs: _ViewInputs, _ visitor: (any _MemberVisitor)?
  ) {
    if let shared = view.data as? any SharedCollection<Data.Element> {
      go(through: shared.elements, of: view, inputs, visitor)
    } else {
      go(through: view.data, of: view, inputs, visitor)
    }
  }

  nonisolated private static func go(
    through elements: some RandomAccessCollection<Data.Element>, of view: Self, _ inputs: _ViewInputs,
    _ visitor: (any _MemberVisitor)?
  ) {
    let count = elements.count
    for (offset, element) in elements.enumerated() {
      let row = view.edits.row(at: offset, of: count)
      inputs.identified(AnyHashable(view.identify(element)), row: row) {
        Content.make(view.content(element), inputs, visitor)
      }
    }
  }
}

extension ForEach where Content: View {
  /// A view for each element, which has an identity.
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data: data, identify: { $0.id }, content: content)
  }

  /// A view for each element, whose identity is at a key path.
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.init(data: data, identify: { $0[keyPath: id] }, content: content)
  }

  /// A view for each number.
  public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content)
  where Data == Range<Int>, ID == Int {
    self.init(data: data, identify: { $0 }, content: content)
  }

  /// A view for a binding of each element, which has an identity.
  public init<C: MutableCollection & RandomAccessCollection>(
    _ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
  ) where Data == Binding<C>, C.Element: Identifiable, ID == C.Element.ID {
    self.init(data: data, identify: { $0.wrappedValue.id }, content: content)
  }

  /// A view for a binding of each element, whose identity is at a key path.
  public init<C: MutableCollection & RandomAccessCollection>(
    _ data: Binding<C>, id: KeyPath<C.Element, ID>,
    @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
  ) where Data == Binding<C> {
    self.init(data: data, identify: { $0.wrappedValue[keyPath: id] }, content: content)
  }
}

extension View {
  /// Gives the view an identity. When the identity changes, it is another view, with new state.
  nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { modifier(IdentityModifier(id: id)) }
}

nonisolated private struct IdentityModifier<ID: Hashable>: ViewModifier, WholeModifier {
  typealias Body = Never
  let id: ID

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.identified(AnyHashable(view.modifier.id)) { V._makeView(view.content, inputs) }
  }
}
