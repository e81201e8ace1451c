import StreamsProperty
import StreamsScopes

/// Several views, of which one is shown. Each keeps its state, from when it is first shown until it leaves the tree.
///
/// A view in it is known by the value of its `tag(_:)`, in a ``ForEach`` else by the identity of its element, and else by its
/// place, from 0. `tabItem(_:)` sets what its tab shows. If the selection is none of them, the first is shown, and the selection
/// stays as it is. A view appears when it is first shown, and disappears when it is no longer in the tab view, or with that.
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

/// Which tab is shown. That is known when all tabs have been visited; they are evaluated afterwards.
private final class ShownTab: RetainedContent {
  let tag = StateCell<AnyHashable?>(nil)
}

nonisolated private struct Tabs<Content: View>: View {
  typealias Body = Never
  let selected: AnyHashable?
  let content: Content
  let select: (AnyHashable) -> Void

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "TabView")) {
      inputs.within(ShownTab.init) { _, shown, _ in
        let visitor = TabVisitor(shown: shown, select: view.select)
        Content._makeMembers(view.content, inputs, visitor)
        let tags = visitor.tags
        shown.tag.set(tags.first { $0 == view.selected } ?? tags.first, isEqual: ==)
      }
    }
  }
}

private final class TabVisitor: _MemberVisitor {
  let shown: ShownTab
  let select: (AnyHashable) -> Void
  private(set) var tags: [AnyHashable] = []

  init(shown: ShownTab, select: @escaping (AnyHashable) -> Void) {
    (self.shown, self.select) = (shown, select)
  }

  func visit<V: View>(_ view: V, _ inputs: _ViewInputs) {
    let tag = trait(Tag.self, of: view)?.value ?? inputs.identity ?? AnyHashable(tags.count)
    tags.append(tag)
    inputs.place(TabMember(view: view, tag: tag, shown: shown, select: select))
  }
}

/// A view with its tab.
nonisolated private struct TabMember<Content: View>: View, Silent {
  let view: Content
  let tag: AnyHashable
  let shown: ShownTab
  let select: (AnyHashable) -> Void

  @MainActor var body: some View {
    TabParts(view: view, isSelected: shown.tag.value == tag) { [select, tag] in select(tag) }
  }
}

private final class TabMemory: RetainedContent {
  var hasBeenShown = false
}

nonisolated private struct TabParts<Content: View>: View {
  typealias Body = Never
  let view: Content
  let isSelected: Bool
  let select: () -> Void

  static func _makeView(_ parts: Self, _ inputs: _ViewInputs) {
    let (view, isSelected) = (parts.view, parts.isSelected)
    inputs.within(TabMemory.init) { _, memory, _ in
      let tab = Element(
        kind: "Tab", attributes: ["isSelected": "\(isSelected)"], action: .tap(parts.select))
      inputs.element(tab) { inputs.step(.index(0)) { trait(TabItem.self, of: view)?.make(inputs) } }
      memory.hasBeenShown = memory.hasBeenShown || isSelected
      guard memory.hasBeenShown else { return }
      let page = Element(kind: "Page", isHidden: !isSelected)
      inputs.element(page) { inputs.step(.index(1)) { Content._makeView(view, inputs) } }
    }
  }
}
