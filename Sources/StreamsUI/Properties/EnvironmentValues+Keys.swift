import Foundation

/// Whether the interface is light or dark.
public enum ColorScheme: CaseIterable, Sendable {
  /// Dark on light.
  case light
  /// Light on dark.
  case dark
}

/// Whether a scene is in use.
public enum ScenePhase: Comparable, Sendable {
  /// It is not visible.
  case background
  /// It is visible, but not in use.
  case inactive
  /// It is in use.
  case active
}

/// The direction in which views are laid out.
public enum LayoutDirection: CaseIterable, Sendable {
  /// From left to right.
  case leftToRight
  /// From right to left.
  case rightToLeft
}

/// A function that closes the presentation that a view is in.
public struct DismissAction {
  let action: () -> Void

  /// Closes the presentation. Outside a presentation it does nothing.
  @MainActor @preconcurrency
  public func callAsFunction() { action() }
}

private struct LocaleKey: EnvironmentKey {
  static var defaultValue: Locale { .current }
}

struct ColorSchemeKey: EnvironmentKey {
  static var defaultValue: ColorScheme { .light }
}

private struct LineLimitKey: EnvironmentKey {
  static var defaultValue: Int? { nil }
}

private struct ScenePhaseKey: EnvironmentKey {
  static var defaultValue: ScenePhase { .active }
}

private struct PixelLengthKey: EnvironmentKey {
  static var defaultValue: CGFloat { 1 }
}

private struct LayoutDirectionKey: EnvironmentKey {
  static var defaultValue: LayoutDirection { .leftToRight }
}

private struct IsEnabledKey: EnvironmentKey {
  static var defaultValue: Bool { true }
}

private struct IsPresentedKey: EnvironmentKey {
  static var defaultValue: Bool { false }
}

/// Closes the alert or dialog that a button is in, when it has been tapped.
struct AfterTapKey: EnvironmentKey {
  static var defaultValue: DismissAction? { nil }
}

private struct DismissKey: EnvironmentKey {
  static var defaultValue: DismissAction { DismissAction {} }
}

extension EnvironmentValues {
  /// The locale; by default the system's.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// Whether the interface is light or dark; light by default.
  public var colorScheme: ColorScheme {
    get { self[ColorSchemeKey.self] }
    set { self[ColorSchemeKey.self] = newValue }
  }

  /// The greatest number of lines of a text; nil is any number.
  public var lineLimit: Int? {
    get { self[LineLimitKey.self] }
    set { self[LineLimitKey.self] = newValue }
  }

  /// Whether the scene is in use; active by default.
  public var scenePhase: ScenePhase {
    get { self[ScenePhaseKey.self] }
    set { self[ScenePhaseKey.self] = newValue }
  }

  /// The size of the smallest thing that can be shown; 1 by default.
  public var pixelLength: CGFloat {
    get { self[PixelLengthKey.self] }
    set { self[PixelLengthKey.self] = newValue }
  }

  /// The direction in which views are laid out.
  public var layoutDirection: LayoutDirection {
    get { self[LayoutDirectionKey.self] }
    set { self[LayoutDirectionKey.self] = newValue }
  }

  /// Whether a user can use the controls.
  public var isEnabled: Bool {
    get { self[IsEnabledKey.self] }
    set { self[IsEnabledKey.self] = newValue }
  }

  /// Whether the view is in a presentation: a sheet, a popover, an alert or a dialog.
  public internal(set) var isPresented: Bool {
    get { self[IsPresentedKey.self] }
    set { self[IsPresentedKey.self] = newValue }
  }

  /// Closes the presentation that the view is in.
  public internal(set) var dismiss: DismissAction {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }
}

extension View {
  /// Sets the greatest number of lines of the texts in this view.
  nonisolated public func lineLimit(_ number: Int?) -> some View { environment(\.lineLimit, number) }

  /// Disables the controls in this view, or enables them unless a view further up disables them.
  nonisolated public func disabled(_ disabled: Bool) -> some View {
    transformEnvironment(\.isEnabled) { $0 = $0 && !disabled }
  }
}
