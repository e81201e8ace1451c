import Streams
import StreamsProperty
import StreamsScopes

extension View {
  /// Requests a color scheme for the whole presentation that the view is in, a window, a sheet or a popover.
  ///
  /// The outermost request wins; nil requests nothing.
  nonisolated public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View {
    modifier(PreferenceModifier(scheme: colorScheme))
  }
}

/// A window, or what is shown above one.
nonisolated struct PresentationView<Content: View>: View {
  typealias Body = Never
  let kind: String
  var title: String?
  var dismiss: (() -> Void)?
  let content: Content

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.within(Presentation.init) { _, presentation, _ in
      let element = Element(
        kind: view.kind, attributes: ["title": view.title].texts,
        action: view.dismiss.map { .dismiss($0) } ?? .none, presentation: presentation)
      inputs.element(element) { Content._makeView(view.content, inputs) }
    }
  }
}

/// The requests of the views in a presentation.
final class Presentation: RetainedContent {
  /// What a window keeps for its views.
  let values = SceneValues()
  private var wishes: [(scope: Scope, scheme: ColorScheme)] = []

  /// The color scheme to show: that of the outermost view with a request.
  var colorScheme: ColorScheme? { wishes.min { $0.scope.isBefore($1.scope) }?.scheme }

  func setWish(_ scheme: ColorScheme?, of asking: Scope, in scope: Scope) {
    wishes.removeAll { $0.scope === asking }
    if let scheme { wishes.append((asking, scheme)) }
    scope.setEnvironmentValue(
      ObjectIdentifier(ColorSchemeKey.self), colorScheme.map(EnvironmentBox<ColorSchemeKey>.init),
      isEqual: AnyEnvironmentBox.areEqual)
  }

  override func remove(from scope: Scope) { wishes = [] }
}

nonisolated private struct PreferenceModifier: ViewModifier, WholeModifier {
  typealias Body = Never
  let scheme: ColorScheme?

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.within(Preference.init) { scope, _, _ in
      Preference.set(view.modifier.scheme, of: scope)
      V._makeView(view.content, inputs)
    }
  }
}

private final class Preference: RetainedContent {
  static func set(_ scheme: ColorScheme?, of scope: Scope) {
    guard let (place, presentation) = scope.enclosing(Presentation.self) else { return }
    presentation.setWish(scheme, of: scope, in: place)
  }

  override func remove(from scope: Scope) { Self.set(nil, of: scope) }
}
