import Foundation

/// A piece of text.
nonisolated public struct Text: View, Equatable, Sendable {
  /// It has no body.
  public typealias Body = Never
  let content: String

  /// Shows a string.
  public init(_ content: some StringProtocol) { self.content = String(content) }
  /// Shows a string as it is.
  public init(verbatim content: String) { self.content = content }

  /// Shows a value in a format.
  ///
  ///     Text(price, format: .number.precision(.fractionLength(2)))
  public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
  where F.FormatInput: Equatable, F.FormatOutput == String {
    content = format.format(input)
  }

  /// Two texts as one.
  public static func + (lhs: Text, rhs: Text) -> Text { Text(lhs.content + rhs.content) }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "Text", text: view.content))
  }
}

/// A picture with a name; without a screen it shows the name.
nonisolated public struct Image: View, Equatable, Sendable {
  /// It has no body.
  public typealias Body = Never
  let name: String

  /// A picture of the program.
  public init(_ name: String) { self.name = name }
  /// A picture of the system.
  public init(systemName: String) { name = systemName }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "Image", text: view.name))
  }
}

/// A title with a picture.
nonisolated public struct Label<Title: View, Icon: View>: View {
  /// It has no body.
  public typealias Body = Never
  let title: Title
  let icon: Icon

  /// A title and a picture.
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    (self.title, self.icon) = (title(), icon())
  }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "Label")) {
      inputs.step(.index(0)) { Icon._makeView(view.icon, inputs) }
      inputs.step(.index(1)) { Title._makeView(view.title, inputs) }
    }
  }
}

extension Label where Title == Text, Icon == Image {
  /// A string and a picture of the system.
  public init(_ title: some StringProtocol, systemImage name: String) {
    self.init(title: { Text(title) }, icon: { Image(systemName: name) })
  }
}

/// Flexible space between views.
nonisolated public struct Spacer: View, Equatable, Sendable {
  /// It has no body.
  public typealias Body = Never
  let minLength: Double?

  /// Space of at least this length.
  public init(minLength: Double? = nil) { self.minLength = minLength }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "Spacer", attributes: ["minLength": view.minLength].texts))
  }
}

/// A line between views.
nonisolated public struct Divider: View, Equatable, Sendable {
  /// It has no body.
  public typealias Body = Never

  /// Makes a line.
  public init() {}

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "Divider"))
  }
}

extension [String: Any?] {
  /// The values that are not nil, as texts.
  var texts: [String: String] { compactMapValues { value in value.map { "\($0)" } } }
}
