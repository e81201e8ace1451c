/// Controls of a program, one below the other.
nonisolated public struct Form<Content: View>: View {
  /// It has no body.
  public typealias Body = Never
  let content: Content

  /// Makes a form.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "Form")) { Content._makeView(view.content, inputs) }
  }
}

/// Some rows of a list or controls of a form that belong together, between a header and a footer.
///
///     Section("Sound") { Toggle("Mute", isOn: $isMuted) }
nonisolated public struct Section<Header: View, Content: View, Footer: View>: View {
  /// It has no body.
  public typealias Body = Never
  let header: Header
  let content: Content
  let footer: Footer

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) { make(view, inputs, nil) }

  public static func _makeMembers(_ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor) {
    make(view, inputs, visitor)
  }

  /// The rows of a list, or options of a picker, are the views in it.
  private static func make(_ view: Self, _ inputs: _ViewInputs, _ visitor: (any _MemberVisitor)?) {
    func makeOther<V: View>(_ view: V) {
      if let visitor { visitor.visitOther(view, inputs) } else { V._makeView(view, inputs) }
    }
    inputs.element(Element(kind: "Section")) {
      inputs.step(.index(0)) { makeOther(view.header) }
      inputs.step(.index(1)) { Content.make(view.content, inputs, visitor) }
      inputs.step(.index(2)) { makeOther(view.footer) }
    }
  }
}

extension Section {
  /// With a header and a footer.
  public init(
    @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Header, @ViewBuilder footer: () -> Footer
  ) {
    (self.header, self.content, self.footer) = (header(), content(), footer())
  }
}

extension Section where Footer == EmptyView {
  /// With a header.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Header) {
    self.init(content: content, header: header, footer: { EmptyView() })
  }
}

extension Section where Header == EmptyView {
  /// With a footer.
  public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
    self.init(content: content, header: { EmptyView() }, footer: footer)
  }
}

extension Section where Header == EmptyView, Footer == EmptyView {
  /// With neither.
  public init(@ViewBuilder content: () -> Content) {
    self.init(content: content, header: { EmptyView() }, footer: { EmptyView() })
  }
}

extension Section where Header == Text, Footer == EmptyView {
  /// With a title.
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    self.init(content: content, header: { Text(title) })
  }
}
