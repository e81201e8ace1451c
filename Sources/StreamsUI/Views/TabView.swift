import StreamsProperty
import StreamsScopes

/// Several views, of which one is shown. Each keeps its state, from when it is first shown until the tab view leaves the tree.
///
/// A view in it is known by the value of its `tag(_:)`, in a ``ForEach`` else by the identity of its element, and else by its
/// place, from 0. `tabItem(_:)` sets what its tab shows. A view appears when it is first shown, and disappears with the tab view.
///
///     TabView(selection: $tab) {
///       Library().tabItem { Text("Library") }.tag(Tab.library)
///       Search().tabItem { Text("Search") }.tag(Tab.search)
///     }
///
/// With a ``ViewHost`` a tab is selected by `select("Search")`.
nonisolated public struct TabView<SelectionValue: Hashable, Content: View>: View, Silent {
  @State private var shownHere: AnyHashable?
  let selection: Binding<SelectionValue>?
  let content: Content

  /// Shows the view that a binding selects.
  public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
    (self.selection, self.content) = (selection, content())
  }

  private var selected: AnyHashable? {
    guard let selection else { return shownHere }
    return AnyHashable(selection.wrappedValue)
  }

  /// The views. It is evaluated when the selection changes; the view around it is not.
  @MainActor public var body: some View {
    let (selection, shownHere) = (selection, $shownHere)
    Tabs(
      selected: selected, content: content,
      select: { tag in
        guard let selection else {
          shownHere.wrappedValue = tag
          return
        }
        if let value = tag.base as? SelectionValue { selection.wrappedValue = value }
      })
  }
}

extension TabView where SelectionValue == Int {
  /// Keeps by itself which view is shown, at first the first.
  public init(@ViewBuilder content: () -> Content) { self.init(selection: nil, content: content) }
}

nonisolated private struct TabItemModifier: TraitModifier {
  typealias Body = Never
  let trait: TabItem
}

private struct TabItem {
  let make: (_ViewInputs) -> Void
}

extension View {
  /// Sets what the tab of this view shows in a ``TabView``.
  nonisolated public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
    let label = label()
    return modifier(TabItemModifier(trait: TabItem { V._makeView(label, $0) }))
  }
}

/// The tabs that have been shown.
private final class ShownTabs: RetainedContent {
  var tags: Set<AnyHashable> = []
}

nonisolated private struct Tabs<Content: View>: View {
  typealias Body = Never
  let selected: AnyHashable?
  let content: Content
  let select: (AnyHashable) -> Void

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "TabView")) {
      inputs.within(ShownTabs.init) { _, shown, _ in
        let visitor = TabVisitor(selected: view.selected, select: view.select, shown: shown)
        Content._makeMembers(view.content, inputs, visitor)
      }
    }
  }
}

private final class TabVisitor: _MemberVisitor {
  let selected: AnyHashable?
  let select: (AnyHashable) -> Void
  let shown: ShownTabs
  private var count = 0

  init(selected: AnyHashable?, select: @escaping (AnyHashable) -> Void, shown: ShownTabs) {
    (self.selected, self.select, self.shown) = (selected, select, shown)
  }

  func visit<V: View>(_ view: V, _ inputs: _ViewInputs) {
    let tag = trait(Tag.self, of: view)?.value ?? inputs.identity ?? AnyHashable(count)
    let isSelected = selected.map { $0 == tag } ?? (count == 0)
    count += 1
    let tab = Element(
      kind: "Tab", attributes: ["isSelected": "\(isSelected)"], action: .tap { [select] in select(tag) })
    inputs.element(tab) { inputs.step(.index(0)) { trait(TabItem.self, of: view)?.make(inputs) } }
    if isSelected { shown.tags.insert(tag) }
    guard shown.tags.contains(tag) else { return }
    let page = Element(kind: "Page", isHidden: !isSelected)
    inputs.element(page) { inputs.step(.index(1)) { V._makeView(view, inputs) } }
  }
}
