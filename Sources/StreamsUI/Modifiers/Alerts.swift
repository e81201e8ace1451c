import StreamsProperty

/// Whether a dialog shows its title.
public enum Visibility: CaseIterable, Sendable {
  /// As the system sees fit: it does.
  case automatic
  /// It does.
  case visible
  /// It does not.
  case hidden
}

extension View {
  /// Shows an alert with buttons while a binding is true. A button in it closes it after its action, which sets the binding to
  /// false. Without buttons it has one, OK.
  ///
  ///     Button("Delete") { isAsking = true }
  ///       .alert("Delete everything?", isPresented: $isAsking) {
  ///         Button("Delete", role: .destructive) { items = [] }
  ///         Button("Cancel", role: .cancel) {}
  ///       }
  nonisolated public func alert<Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> Actions
  ) -> some View {
    alert(title, isPresented: isPresented, actions: actions, message: { EmptyView() })
  }

  /// Shows an alert with a message and buttons while a binding is true; see `alert(_:isPresented:actions:)`.
  nonisolated public func alert<Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> Actions,
    @ViewBuilder message: @escaping () -> Message
  ) -> some View {
    asking("Alert", String(title), isPresented, actions, message)
  }

  /// Shows an alert about some data while a binding is true and there are data; see `alert(_:isPresented:actions:)`.
  nonisolated public func alert<Data, Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, presenting data: Data?,
    @ViewBuilder actions: @escaping (Data) -> Actions
  ) -> some View {
    alert(title, isPresented: isPresented, presenting: data, actions: actions, message: { _ in EmptyView() })
  }

  /// Shows an alert with a message about some data while a binding is true and there are data; see
  /// `alert(_:isPresented:actions:)`.
  nonisolated public func alert<Data, Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, presenting data: Data?,
    @ViewBuilder actions: @escaping (Data) -> Actions, @ViewBuilder message: @escaping (Data) -> Message
  ) -> some View {
    asking("Alert", String(title), isPresented.whileThere(data), { data.map(actions) }, { data.map(message) })
  }

  /// Shows a dialog with several choices while a binding is true. A button in it closes it after its action.
  nonisolated public func confirmationDialog<Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
    @ViewBuilder actions: @escaping () -> Actions
  ) -> some View {
    confirmationDialog(
      title, isPresented: isPresented, titleVisibility: titleVisibility, actions: actions,
      message: { EmptyView() })
  }

  /// Shows a dialog with a message and several choices while a binding is true. A button in it closes it after its action.
  nonisolated public func confirmationDialog<Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
    @ViewBuilder actions: @escaping () -> Actions, @ViewBuilder message: @escaping () -> Message
  ) -> some View {
    let shown = titleVisibility == .hidden ? nil : String(title)
    return asking("ConfirmationDialog", shown, isPresented, actions, message)
  }

  /// Shows a dialog about some data while a binding is true and there are data. A button in it closes it after its action.
  nonisolated public func confirmationDialog<Data, Actions: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
    presenting data: Data?, @ViewBuilder actions: @escaping (Data) -> Actions
  ) -> some View {
    confirmationDialog(
      title, isPresented: isPresented, titleVisibility: titleVisibility, presenting: data, actions: actions,
      message: { _ in EmptyView() })
  }

  /// Shows a dialog with a message about some data while a binding is true and there are data. A button in it closes it after its
  /// action.
  nonisolated public func confirmationDialog<Data, Actions: View, Message: View>(
    _ title: some StringProtocol, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
    presenting data: Data?, @ViewBuilder actions: @escaping (Data) -> Actions,
    @ViewBuilder message: @escaping (Data) -> Message
  ) -> some View {
    confirmationDialog(
      title, isPresented: isPresented.whileThere(data), titleVisibility: titleVisibility,
      actions: { data.map(actions) }, message: { data.map(message) })
  }

  nonisolated private func asking<Actions: View, Message: View>(
    _ kind: String, _ title: String?, _ isPresented: Binding<Bool>, _ actions: @escaping () -> Actions,
    _ message: @escaping () -> Message
  ) -> some View {
    let content = { Question(title: title, message: message(), actions: actions()) }
    return modifier(OverlayModifier(kind, isPresented, nil, closesAfterTap: true, content))
  }
}

extension Binding<Bool> {
  /// Also false while there are no data.
  fileprivate func whileThere<Data>(_ data: Data?) -> Self {
    map(get: { $0 && data != nil }, set: { $1 })
  }
}

/// The content of an alert or a dialog.
nonisolated private struct Question<Message: View, Actions: View>: View, Silent {
  let title: String?
  let message: Message
  let actions: Actions

  @MainActor var body: some View {
    if let title { Text(title) }
    message
    if Actions.self == EmptyView.self || Actions.self == EmptyView?.self {
      Button("OK", role: .cancel) {}
    } else {
      actions
    }
  }
}
