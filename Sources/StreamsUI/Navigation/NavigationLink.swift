import Streams
import StreamsScopes

/// Shows a page above the one that a view is on.
struct NavigateAction {
  /// The page of a value.
  let show: (AnyHashable) -> Void
  /// The page of a link.
  let open: (LinkedPage) -> Void
  /// Closes the page of a link, and those above it. Only these are told that they are left.
  let close: (LinkedPage) -> Void
  /// Whether the page of a link is open.
  let isOpen: (LinkedPage) -> Bool
}

private struct NavigateKey: EnvironmentKey {
  static var defaultValue: NavigateAction? { nil }
}

extension EnvironmentValues {
  var navigate: NavigateAction? {
    get { self[NavigateKey.self] }
    set { self[NavigateKey.self] = newValue }
  }
}

/// A button that shows another page of the ``NavigationStack`` that it is in: for a value, which it adds to the path, or with a
/// view of its own, which is in no path. Without a value, or outside a stack, it is disabled.
///
///     NavigationLink("Bread", value: bread)
///     NavigationLink("About") { About() }
nonisolated public struct NavigationLink<Label: View, Destination: View>: View, Silent {
  enum Target {
    case value(AnyHashable?)
    case view(Destination)
  }

  @Environment(\.navigate) private var navigate
  let target: Target
  let label: Label

  /// The button.
  @MainActor public var body: some View {
    let navigate = navigate
    switch target {
    case .value(let value):
      Button {
        if let value { navigate?.show(value) }
      } label: {
        label
      }
      .disabled(navigate == nil || value == nil)
    case .view(let view): DestinationLink(navigate: navigate, destination: view, label: label)
    }
  }
}

extension NavigationLink where Destination == Never {
  /// A button with a label, for a value.
  public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
    (target, self.label) = (.value(value.map { AnyHashable($0) }), label())
  }
}

extension NavigationLink where Label == Text, Destination == Never {
  /// A button with a title, for a value.
  public init<P: Hashable>(_ title: some StringProtocol, value: P?) {
    self.init(value: value) { Text(title) }
  }
}

extension NavigationLink {
  /// A button with a label, for a view.
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
    (target, self.label) = (.view(destination()), label())
  }

  /// A button with a label, for a view.
  public init(destination: Destination, @ViewBuilder label: () -> Label) {
    (target, self.label) = (.view(destination), label())
  }
}

extension NavigationLink where Label == Text {
  /// A button with a title, for a view.
  public init(_ title: some StringProtocol, @ViewBuilder destination: () -> Destination) {
    self.init(destination: destination) { Text(title) }
  }

  /// A button with a title, for a view.
  public init(_ title: some StringProtocol, destination: Destination) {
    self.init(destination: destination) { Text(title) }
  }
}

/// What a link shows: as long as it is shown, the view that the link has now.
final class LinkedPage: @unchecked Sendable {
  private struct Content {
    var view: AnyView?
    var leave: () -> Bool = { true }
  }

  private let tracked = Tracked()
  private let current = Lock(Content())

  var view: AnyView? {
    tracked.read()
    return current.withLock { $0.view }
  }

  /// `leave` tells the program that the page is left, and returns whether it lets the page go.
  func show(_ view: AnyView, leave: @escaping () -> Bool = { true }) {
    var replaced = Content(view: view, leave: leave)
    current.withLock { swap(&$0, &replaced) }
    tracked.change()
  }

  func leave() -> Bool {
    let leave = current.withLock { $0.leave }
    return leave()
  }
}

nonisolated private struct DestinationLink<Label: View, Destination: View>: View, Silent {
  @State private var page = LinkedPage()
  let navigate: NavigateAction?
  let destination: Destination
  let label: Label

  @MainActor var body: some View {
    let (navigate, page) = (navigate, page)
    let _ = page.show(AnyView(destination))
    Button {
      navigate?.open(page)
    } label: {
      label
    }
    .disabled(navigate == nil)
  }
}
