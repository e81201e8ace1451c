import Foundation
import StreamsProperty

/// A control into which text is typed.
///
///     TextField("Name", text: $name)
///     TextField("Amount", value: $amount, format: .number)
///
/// With a format, the value is set to what the text says, and stays what it was if the text says nothing. The text stays as it was
/// typed until it is submitted, the field loses the focus, or the value changes otherwise; then it is the value's.
///
/// With a ``ViewHost``, text is typed by `type("Ada", into: "Name")`, and submitted by `submit("Name")`.
nonisolated public struct TextField<Label: View>: View, Silent {
  enum Content {
    case text(Binding<String>)
    case value(FormattedValue)
  }

  let content: Content
  let prompt: Text?
  let label: Label

  init(_ content: Content, prompt: Text?, label: Label) {
    (self.content, self.prompt, self.label) = (content, prompt, label)
  }

  /// The control. It is evaluated when the text changes; the view around it is not.
  @MainActor public var body: some View {
    switch content {
    case .text(let text): label.modifier(FieldModifier(kind: "TextField", text: text, prompt: prompt))
    case .value(let value): FormattedField(value: value, prompt: prompt, label: label)
    }
  }
}

extension TextField {
  /// A field with a label, and perhaps a text that it shows while it is empty.
  public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
    self.init(.text(text), prompt: prompt, label: label())
  }

  /// A field for a value, with a label.
  public init<F: ParseableFormatStyle>(
    value: Binding<F.FormatInput>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label
  ) where F.FormatOutput == String {
    self.init(.value(FormattedValue(value, format)), prompt: prompt, label: label())
  }

  /// A field for a value that may be missing, which it is when the text is empty, with a label.
  public init<F: ParseableFormatStyle>(
    value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label
  ) where F.FormatOutput == String {
    self.init(.value(FormattedValue(value, format)), prompt: prompt, label: label())
  }
}

extension TextField where Label == Text {
  /// A field with a title.
  public init(_ title: some StringProtocol, text: Binding<String>) {
    self.init(.text(text), prompt: nil, label: Text(title))
  }

  /// A field with a title, and perhaps a text that it shows while it is empty.
  public init(_ title: some StringProtocol, text: Binding<String>, prompt: Text?) {
    self.init(.text(text), prompt: prompt, label: Text(title))
  }

  /// A field for a value, with a title.
  public init<F: ParseableFormatStyle>(
    _ title: some StringProtocol, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
  ) where F.FormatOutput == String {
    self.init(.value(FormattedValue(value, format)), prompt: prompt, label: Text(title))
  }

  /// A field for a value that may be missing, which it is when the text is empty, with a title.
  public init<F: ParseableFormatStyle>(
    _ title: some StringProtocol, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
  ) where F.FormatOutput == String {
    self.init(.value(FormattedValue(value, format)), prompt: prompt, label: Text(title))
  }
}

/// A control into which text is typed that nobody is to see.
///
///     SecureField("Password", text: $password)
nonisolated public struct SecureField<Label: View>: View, Silent {
  let text: Binding<String>
  let prompt: Text?
  let label: Label

  /// A field with a label, and perhaps a text that it shows while it is empty.
  public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
    (self.text, self.prompt, self.label) = (text, prompt, label())
  }

  /// The control. It is evaluated when the text changes; the view around it is not.
  @MainActor public var body: some View {
    label.modifier(FieldModifier(kind: "SecureField", text: text, prompt: prompt, isSecret: true))
  }
}

extension SecureField where Label == Text {
  /// A field with a title.
  public init(_ title: some StringProtocol, text: Binding<String>) {
    self.init(text: text) { Text(title) }
  }

  /// A field with a title, and perhaps a text that it shows while it is empty.
  public init(_ title: some StringProtocol, text: Binding<String>, prompt: Text?) {
    self.init(text: text, prompt: prompt) { Text(title) }
  }
}

/// Makes a field of its label.
nonisolated private struct FieldModifier: ViewModifier, WholeModifier {
  typealias Body = Never
  let kind: String
  let text: Binding<String>
  let prompt: Text?
  var isSecret = false

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    let field = view.modifier
    let value = field.text.wrappedValue
    let attributes = [
      "value": field.isSecret ? String(repeating: "•", count: value.count) : value,
      "prompt": field.prompt?.content,
    ]
    let element = Element(
      kind: field.kind, attributes: attributes.compactMapValues { $0 }, action: .type(field.text))
    inputs.element(element) { V._makeView(view.content, inputs) }
  }
}

/// A value as text.
struct FormattedValue {
  let text: () -> String
  /// Sets the value to what a text says, if it says one.
  let take: (String) -> Void

  init<F: ParseableFormatStyle>(_ value: Binding<F.FormatInput>, _ format: F) where F.FormatOutput == String {
    text = { format.format(value.wrappedValue) }
    take = { text in
      if let new = try? format.parseStrategy.parse(text) { value.wrappedValue = new }
    }
  }

  init<F: ParseableFormatStyle>(_ value: Binding<F.FormatInput?>, _ format: F)
  where F.FormatOutput == String {
    text = { value.wrappedValue.map(format.format) ?? "" }
    take = { text in
      if text.isEmpty { value.wrappedValue = nil }
      if let new = try? format.parseStrategy.parse(text) { value.wrappedValue = new }
    }
  }
}

nonisolated private struct FormattedField<Label: View>: View, Silent {
  /// What was typed, and what the value said afterwards.
  private struct Draft {
    let text: String
    let result: String
  }

  @State private var draft: Draft?
  @FocusState private var isFocused: Bool
  let value: FormattedValue
  let prompt: Text?
  let label: Label

  @MainActor var body: some View {
    let (value, draft) = (value, $draft)
    let text = Binding<String>(
      get: {
        let text = value.text()
        if let draft = draft.wrappedValue, draft.result == text { return draft.text }
        return text
      },
      set: { text in
        value.take(text)
        draft.wrappedValue = Draft(text: text, result: value.text())
      })
    TextField(text: text, prompt: prompt) { label }
      .focused($isFocused)
      .onSubmit { draft.wrappedValue = nil }
      // A draft that no longer fits must not come back with the value that it was typed at.
      .onChange(of: value.text()) { _, text in
        if draft.wrappedValue?.result != text { draft.wrappedValue = nil }
      }
      .onChange(of: isFocused) { _, isFocused in if !isFocused { draft.wrappedValue = nil } }
  }
}
