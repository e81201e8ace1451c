/// What submits something.
public struct SubmitTriggers: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set of bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// A field.
  public static let text = SubmitTriggers(rawValue: 1)
  /// A search, of which there are none here.
  public static let search = SubmitTriggers(rawValue: 2)
}

private struct SubmitKey: EnvironmentKey {
  static var defaultValue: [() -> Void] { [] }
}

extension EnvironmentValues {
  /// The actions of the views around a field, the outermost first.
  fileprivate var submitActions: [() -> Void] {
    get { self[SubmitKey.self] }
    set { self[SubmitKey.self] = newValue }
  }
}

extension View {
  /// Calls an action when a field in the view is submitted, after those that are set on views in this one.
  ///
  ///     TextField("Search", text: $text).onSubmit { search(text) }
  ///
  /// With a ``ViewHost`` a field is submitted by `submit("Search")`.
  nonisolated public func onSubmit(
    of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void
  ) -> some View {
    transformEnvironment(\.submitActions) { if triggers.contains(.text) { $0.append(action) } }
  }

  /// Keeps the submissions of fields in the view from the actions of views around it.
  nonisolated public func submitScope(_ isBlocking: Bool = true) -> some View {
    transformEnvironment(\.submitActions) { if isBlocking { $0 = [] } }
  }
}

extension ViewHost.Node {
  /// Submits the text of a field; nil if it is none.
  public var submit: (() -> Void)? {
    guard case .type = action else { return nil }
    let scope = place.scope
    // Those of now: nothing that is shown depends on them.
    return { for action in EnvironmentValues(scope: scope).submitActions.reversed() { action() } }
  }
}

/// Fetches what a view shows anew.
public struct RefreshAction: Sendable {
  let action: @Sendable () async -> Void

  /// Refreshes, and returns when that is done.
  public func callAsFunction() async { await action() }
}

private struct RefreshKey: EnvironmentKey {
  static var defaultValue: RefreshAction? { nil }
}

extension EnvironmentValues {
  /// Refreshes what the view shows; nil if no view around it can be refreshed.
  ///
  ///     @Environment(\.refresh) private var refresh
  ///     Button("Again") { Task { await refresh?() } }
  public internal(set) var refresh: RefreshAction? {
    get { self[RefreshKey.self] }
    set { self[RefreshKey.self] = newValue }
  }
}

extension View {
  /// Lets a user refresh the lists in the view, and views in it by `refresh` of the environment.
  ///
  ///     List(songs) { Text($0.title) }
  ///       .refreshable { await model.load() }
  ///
  /// With a ``ViewHost`` a list is refreshed by `refresh()`.
  nonisolated public func refreshable(
    @_inheritActorContext action: @escaping @Sendable () async -> Void
  ) -> some View {
    environment(\.refresh, RefreshAction(action: action))
  }
}

extension ViewHost.Node {
  /// Refreshes a list; nil if it is none, or cannot be refreshed.
  public var refresh: RefreshAction? {
    kind == "List" ? EnvironmentValues(scope: place.scope).refresh : nil
  }
}
