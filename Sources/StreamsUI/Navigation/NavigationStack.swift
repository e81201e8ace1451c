import StreamsProperty
import StreamsScopes

/// A view, and above it the views for the values of a path, of which the last is shown.
///
/// A ``NavigationLink`` adds a value to the path, and `dismiss` in a view above the root removes its
/// value and those above it. The program can also change the path itself.
/// `navigationDestination(for:destination:)` makes the view of a value. The views below keep their state.
/// A value without a destination shows nothing, and is one of the host's errors. The page of a link with
/// a view of its own is above the values that were in the path when it was opened, and closes when one of
/// these is removed.
///
///     NavigationStack(path: $path) {
///       List(recipes) { NavigationLink($0.name, value: $0) }
///         .navigationDestination(for: Recipe.self) { RecipeView(recipe: $0) }
///     }
nonisolated public struct NavigationStack<Data, Root: View>: View, Silent {
  @State private var pathHere: [AnyHashable] = []
  @State private var links: [OpenLink] = []
  let path: Binding<[AnyHashable]>?
  let root: Root

  /// The views. It is evaluated when the path changes; the view around it is not.
  @MainActor public var body: some View {
    let (path, links) = (path ?? $pathHere, $links)
    let values = path.wrappedValue
    let open = Self.open(links.wrappedValue, above: values)
    StackPages(path: path, links: links, pages: Self.pages(values, open), root: root)
      .onChange(of: values) { links.keep { path.wrappedValue.starts(with: $0.below) } }
  }

  /// The links that are still open. It is not in the body, where the closure would stop the program on another thread.
  private static func open(_ links: [OpenLink], above values: [AnyHashable]) -> [OpenLink] {
    links.filter { values.starts(with: $0.below) }
  }

  /// The pages above the root.
  private static func pages(_ values: [AnyHashable], _ links: [OpenLink]) -> [StackPage] {
    var pages: [StackPage] = []
    for count in 0...values.count {
      if count > 0 { pages.append(.value(values[count - 1], index: count - 1)) }
      pages += links.filter { $0.below.count == count }.map { .link($0) }
    }
    return pages
  }
}

extension NavigationStack where Data == NavigationPath {
  /// Keeps its path by itself.
  public init(@ViewBuilder root: () -> Root) { (path, self.root) = (nil, root()) }

  /// Shows a path of values of any types.
  public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) {
    self.path = path.map(get: \.elements, set: { NavigationPath(elements: $1) })
    self.root = root()
  }
}

extension NavigationStack
where
  Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable
{
  /// Shows a path of values of one type. A link to a value of another type does nothing.
  public init(path: Binding<Data>, @ViewBuilder root: () -> Root) {
    self.path = path.map(
      get: { $0.map { AnyHashable($0) } }, set: { Data($1.compactMap { $0.base as? Data.Element }) })
    self.root = root()
  }
}

/// A link whose page is shown.
private struct OpenLink {
  let page: LinkedPage
  /// The values of the path below it.
  let below: [AnyHashable]
}

extension Binding<[OpenLink]> {
  /// Closes all other links.
  fileprivate func keep(_ isKept: (OpenLink) -> Bool) {
    let closed = wrappedValue.filter { !isKept($0) }
    wrappedValue = wrappedValue.filter(isKept)
    // One that is to stay is opened again, above the path as it is then.
    for link in closed { _ = link.page.leave() }
  }
}

private enum StackPage {
  case value(AnyHashable, index: Int)
  case link(OpenLink)
}

nonisolated private struct StackPages<Root: View>: View {
  typealias Body = Never
  let path: Binding<[AnyHashable]>
  let links: Binding<[OpenLink]>
  let pages: [StackPage]
  let root: Root

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "NavigationStack")) {
      inputs.within(Destinations.init) { _, destinations, _ in
        inputs.element(Element(kind: "Page", isHidden: !view.pages.isEmpty)) {
          inputs.step(.index(0)) { view.make(view.root, inputs) }
        }
        for (index, page) in view.pages.enumerated() {
          inputs.element(Element(kind: "Page", isHidden: index < view.pages.count - 1)) {
            view.make(page, destinations, inputs)
          }
        }
      }
    }
  }

  private func make(_ page: StackPage, _ destinations: Destinations, _ inputs: _ViewInputs) {
    switch page {
    case .value(let value, let index):
      inputs.step(.index(index + 1)) {
        inputs.step(.key(value)) {
          make(Destination(value: value, destinations: destinations), inputs) { pop(to: index) }
        }
      }
    case .link(let link):
      inputs.step(.key(AnyHashable(ObjectIdentifier(link.page)))) {
        make(LinkedView(page: link.page), inputs) { if link.page.leave() { close(link.page) } }
      }
    }
  }

  private func pop(to count: Int) {
    if path.wrappedValue.count > count { path.wrappedValue = Array(path.wrappedValue.prefix(count)) }
  }

  private func close(_ page: LinkedPage) {
    guard let index = links.wrappedValue.firstIndex(where: { $0.page === page }) else { return }
    let link = links.wrappedValue.remove(at: index)
    let kept = links.wrappedValue.prefix(index)
    links.keep { other in kept.contains { $0.page === other.page } }
    pop(to: link.below.count)
  }

  private func isOpen(_ page: LinkedPage) -> Bool { links.wrappedValue.contains { $0.page === page } }

  private func make<V: View>(_ page: V, _ inputs: _ViewInputs, dismiss: (() -> Void)? = nil) {
    let (path, links) = (path, links)
    let navigate = NavigateAction(
      show: { path.wrappedValue.append($0) },
      open: { page in
        if isOpen(page) { return }
        links.wrappedValue.append(OpenLink(page: page, below: path.wrappedValue))
      },
      close: close, isOpen: isOpen)
    let page = page.modifier(
      EnvironmentModifier { values in
        values.navigate = navigate
        guard let dismiss else { return }
        (values.isPresented, values.dismiss) = (true, DismissAction(action: dismiss))
      })
    type(of: page)._makeView(page, inputs)
  }
}

/// The view of a link.
nonisolated private struct LinkedView: View, Silent {
  let page: LinkedPage

  @MainActor var body: some View { page.view }
}

/// The view of a value.
nonisolated private struct Destination: View, Silent {
  let value: AnyHashable
  let destinations: Destinations

  @MainActor var body: some View {
    if let view = destinations.view(of: value) { view } else { MissingDestination(value: value) }
  }
}

/// Adds an error while it is shown.
nonisolated private struct MissingDestination: View {
  typealias Body = Never
  let value: AnyHashable

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    let core = inputs.core
    inputs.within(Complaint.init) { scope, complaint, _ in
      // At the end of the round: the view with the destination may not have been evaluated yet.
      scope.tree.act { [weak scope] in
        guard let scope, !scope.isRemoved else { return }
        let type = Swift.type(of: view.value.base)
        core.setProblem(ViewHost.MissingDestination(type: type, path: HostCore.path(of: scope)), at: scope)
      }
      complaint.core = core
    }
  }
}

private final class Complaint: RetainedContent {
  weak var core: HostCore?

  override func remove(from scope: Scope) { core?.setProblem(nil, at: scope) }
}

extension ViewHost {
  /// A navigation stack shows a value for which no view has a destination.
  public struct MissingDestination: Error, CustomStringConvertible, @unchecked Sendable {
    /// The type of the value.
    public let type: Any.Type
    /// The views on the path to the one that is missing.
    public let path: String

    /// What is missing, and where.
    public var description: String {
      "no view for a \(type) in \(path): a view in the stack must have .navigationDestination(for: \(type).self)"
    }
  }
}

extension ViewHost.MissingDestination: Problem {}
