import StreamsProperty

extension View {
  /// Shows a sheet while a binding is true.
  ///
  /// The sheet has its own environment below the view's: `preferredColorScheme(_:)` in it applies to the sheet, `isPresented` is
  /// true, and `dismiss` sets the binding to false. `onDismiss` is called when the sheet has left the tree. A sheet is also shown if
  /// the view is on a page that another one covers, or in a tab that is not selected; so are all other presentations.
  ///
  ///     Button("Settings") { isShown = true }
  ///       .sheet(isPresented: $isShown) { SettingsView() }
  nonisolated public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    modifier(OverlayModifier("Sheet", isPresented, onDismiss, content))
  }

  /// Shows a sheet for an item while there is one. Another item gets a sheet of its own, with new state; `dismiss` sets the
  /// binding to nil.
  ///
  ///     List(books) { book in Button(book.title) { chosen = book } }
  ///       .sheet(item: $chosen) { BookView(book: $0) }
  nonisolated public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    modifier(OverlayModifier("Sheet", item, onDismiss, content))
  }

  /// Shows a sheet that covers the window while a binding is true; see `sheet(isPresented:onDismiss:content:)`.
  nonisolated public func fullScreenCover<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    modifier(OverlayModifier("FullScreenCover", isPresented, onDismiss, content))
  }

  /// Shows a sheet that covers the window for an item while there is one; see `sheet(item:onDismiss:content:)`.
  nonisolated public func fullScreenCover<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    modifier(OverlayModifier("FullScreenCover", item, onDismiss, content))
  }

  /// Shows a popover beside the view while a binding is true; otherwise as a sheet.
  ///
  ///     Button("More") { isPopped = true }
  ///       .popover(isPresented: $isPopped) { Details() }
  nonisolated public func popover<Content: View>(
    isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    modifier(OverlayModifier("Popover", isPresented, nil, content))
  }

  /// Shows a popover beside the view for an item while there is one; otherwise as a sheet.
  nonisolated public func popover<Item: Identifiable, Content: View>(
    item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View {
    modifier(OverlayModifier("Popover", item, nil, content))
  }
}

/// What is shown above a window.
nonisolated struct OverlayModifier<Shown: View>: ViewModifier, Silent, Single {
  let kind: String
  /// What to show, and its identity; nil while nothing is.
  private let shown: () -> (id: AnyHashable, view: Shown)?
  private let dismiss: () -> Void
  private let onDismiss: (() -> Void)?
  /// Whether each button in it closes it.
  private let closesAfterTap: Bool

  init(
    _ kind: String, _ isPresented: Binding<Bool>, _ onDismiss: (() -> Void)?, closesAfterTap: Bool = false,
    _ content: @escaping () -> Shown
  ) {
    self.kind = kind
    shown = { isPresented.wrappedValue ? (0, content()) : nil }
    dismiss = { isPresented.wrappedValue = false }
    (self.onDismiss, self.closesAfterTap) = (onDismiss, closesAfterTap)
  }

  init<Item: Identifiable>(
    _ kind: String, _ item: Binding<Item?>, _ onDismiss: (() -> Void)?,
    _ content: @escaping (Item) -> Shown
  ) {
    self.kind = kind
    shown = { item.wrappedValue.map { (AnyHashable($0.id), content($0)) } }
    dismiss = { item.wrappedValue = nil }
    (self.onDismiss, closesAfterTap) = (onDismiss, false)
  }

  @MainActor func body(content: Content) -> some View {
    content
    if let (id, view) = shown() {
      let (action, isClosing) = (DismissAction(action: dismiss), closesAfterTap)
      PresentationView(kind: kind, dismiss: dismiss, content: view)
        .transformEnvironment(\.self) { values in
          (values.dismiss, values.isPresented) = (action, true)
          values[AfterTapKey.self] = isClosing ? action : nil
        }
        .onDisappear(perform: onDismiss)
        .id(id)
    }
  }
}
