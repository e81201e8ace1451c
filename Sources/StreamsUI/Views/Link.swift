import Foundation

/// Opens a URL, by the function that a view above has set. By default nothing opens it.
///
///     @Environment(\.openURL) private var openURL
///     Button("Manual") { openURL(manual) }
///
///     ContentView().environment(\.openURL, OpenURLAction { url in
///       print(url)
///       return .handled
///     })
public struct OpenURLAction {
  /// What has become of a URL.
  public struct Result: Sendable {
    fileprivate enum Outcome: Sendable { case handled, discarded, system }
    fileprivate let outcome: Outcome

    /// The function has opened it.
    public static let handled = Result(outcome: .handled)
    /// The function does not want it opened.
    public static let discarded = Result(outcome: .discarded)
    /// The system is to open it, which there is none to do here.
    public static let systemAction = Result(outcome: .system)
    /// The system is to open another one, which there is none to do here.
    public static func systemAction(_ url: URL) -> Result { systemAction }
  }

  private let handler: (URL) -> Result

  /// Makes an action of a function.
  public init(handler: @escaping (URL) -> Result) { self.handler = handler }

  /// Opens the URL.
  @MainActor @preconcurrency
  public func callAsFunction(_ url: URL) { _ = handler(url) }

  /// Opens the URL, and says whether it was accepted.
  @MainActor @preconcurrency
  public func callAsFunction(_ url: URL, completion: @escaping (_ accepted: Bool) -> Void) {
    completion(handler(url).outcome == .handled)
  }
}

private struct OpenURLKey: EnvironmentKey {
  static var defaultValue: OpenURLAction { OpenURLAction { _ in .systemAction } }
}

extension EnvironmentValues {
  /// Opens a URL.
  public var openURL: OpenURLAction {
    get { self[OpenURLKey.self] }
    set { self[OpenURLKey.self] = newValue }
  }
}

/// A button that opens a URL.
///
///     Link("Manual", destination: manual)
nonisolated public struct Link<Label: View>: View, Silent {
  @Environment(\.openURL) private var openURL
  let destination: URL
  let label: Label

  /// A button with a label.
  public init(destination: URL, @ViewBuilder label: () -> Label) {
    (self.destination, self.label) = (destination, label())
  }

  /// The button.
  @MainActor public var body: some View {
    let (openURL, destination) = (openURL, destination)
    Button {
      openURL(destination)
    } label: {
      label
    }
  }
}

extension Link where Label == Text {
  /// A button with a title.
  public init(_ title: some StringProtocol, destination: URL) {
    self.init(destination: destination) { Text(title) }
  }
}
