import StreamsProperty
import StreamsScopes

extension View {
  /// Makes the view of a value of this type in the path of the ``NavigationStack`` that this view is in.
  ///
  ///     .navigationDestination(for: Recipe.self) { RecipeView(recipe: $0) }
  nonisolated public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View {
    modifier(DestinationModifier(type: data, make: destination))
  }

  /// Shows a page above that of the view, in the ``NavigationStack`` that it is in, while a binding is true. Leaving the page
  /// sets it to false; if the binding is true nevertheless, or again, the page is shown.
  ///
  ///     Button("Details") { isDetailed = true }
  ///       .navigationDestination(isPresented: $isDetailed) { Details() }
  nonisolated public func navigationDestination<C: View>(
    isPresented: Binding<Bool>, @ViewBuilder destination: () -> C
  ) -> some View {
    let view = destination()
    return modifier(
      PageModifier(
        shown: { isPresented.wrappedValue ? (true, view) : nil },
        leave: {
          isPresented.wrappedValue = false
          return !isPresented.wrappedValue
        }))
  }

  /// Shows a page for an item above that of the view, in the ``NavigationStack`` that it is in, while there is one. Another item
  /// gets a view with new state. Leaving the page sets the binding to nil; if it has an item nevertheless, or again, that is shown.
  ///
  ///     List(books) { book in Button(book.title) { chosen = book } }
  ///       .navigationDestination(item: $chosen) { BookView(book: $0) }
  nonisolated public func navigationDestination<D: Hashable, C: View>(
    item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View {
    modifier(
      PageModifier(
        shown: { item.wrappedValue.map { (AnyHashable($0), destination($0)) } },
        leave: {
          item.wrappedValue = nil
          return item.wrappedValue == nil
        }))
  }

  /// Shows a title above the view.
  nonisolated public func navigationTitle(_ title: some StringProtocol) -> some View {
    modifier(TitleModifier(title: String(title)))
  }
}

/// Opens a page of its own while there is something to show.
nonisolated private struct PageModifier<Shown: View>: ViewModifier, Silent, Single {
  @Environment(\.navigate) private var navigate
  @State private var page = LinkedPage()
  /// What to show, and its identity.
  let shown: () -> (id: AnyHashable, view: Shown)?
  /// Asks the binding for no page. Returns whether it complies.
  let leave: () -> Bool

  @MainActor func body(content: Content) -> some View {
    let (navigate, page, shown) = (navigate, page, shown())
    if let shown { let _ = page.show(AnyView(shown.view.id(shown.id)), leave: leave) }
    // What is shown may be the same as before, although the page has been closed meanwhile.
    let isOpen = navigate?.isOpen(page) ?? false
    content
      .onChange(of: [shown != nil, isOpen], initial: true) {
        if shown == nil { navigate?.close(page) } else { navigate?.open(page) }
      }
      .onDisappear {
        guard let navigate, navigate.isOpen(page) else { return }
        navigate.close(page)
        _ = page.leave()
      }
  }
}

nonisolated private struct DestinationModifier<D: Hashable, C: View>: ViewModifier, Single {
  typealias Body = Never
  let type: D.Type
  let make: (D) -> C

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    let make = view.modifier.make
    inputs.within(DestinationEntry.init) { scope, entry, _ in
      entry.destinations = scope.enclosing(Destinations.self)?.content
      entry.destinations?.set(D.self, of: scope) { value in (value.base as? D).map { AnyView(make($0)) } }
      V._makeView(view.content, inputs)
    }
  }
}

private final class DestinationEntry: RetainedContent {
  weak var destinations: Destinations?

  override func remove(from scope: Scope) { destinations?.forget(scope) }
}

/// What makes the views of a navigation stack.
final class Destinations: RetainedContent {
  private struct Entry {
    let type: ObjectIdentifier
    let scope: Scope
    let make: (AnyHashable) -> AnyView?
  }

  private let tracked = Tracked()
  private var entries: [Entry] = []

  func set<D>(_ type: D.Type, of scope: Scope, _ make: @escaping (AnyHashable) -> AnyView?) {
    entries.removeAll { $0.scope === scope }
    entries.append(Entry(type: ObjectIdentifier(type), scope: scope, make: make))
    tracked.change()
  }

  func forget(_ scope: Scope) {
    entries.removeAll { $0.scope === scope }
    tracked.change()
  }

  /// The view of a value, by the outermost view that makes one.
  func view(of value: AnyHashable) -> AnyView? {
    tracked.read()
    let type = ObjectIdentifier(Swift.type(of: value.base))
    return entries.filter { $0.type == type }.min { $0.scope.isBefore($1.scope) }?.make(value)
  }

  override func remove(from scope: Scope) { entries = [] }
}

nonisolated private struct TitleModifier: ViewModifier, Single {
  typealias Body = Never
  let title: String

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.step(.index(0)) { inputs.element(Element(kind: "Title", text: view.modifier.title)) }
    inputs.step(.index(1)) { V._makeView(view.content, inputs) }
  }
}
