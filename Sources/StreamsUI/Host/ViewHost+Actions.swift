extension ViewHost {
  /// Why an action failed.
  public enum ActionError: Error, Equatable, CustomStringConvertible {
    /// No control of this kind has this label.
    case notFound(kind: String, label: String)
    /// The node with this label is of another kind.
    case isOther(label: String, kind: String, expected: String)
    /// The control is disabled.
    case disabled(label: String)

    /// Why the action failed.
    public var description: String {
      switch self {
      case .notFound(let kind, let label): "there is no \(kind) \"\(label)\""
      case .isOther(let label, let kind, let expected): "\"\(label)\" is a \(kind), not a \(expected)"
      case .disabled(let label): "\"\(label)\" is disabled"
      }
    }
  }

  /// The first node for which `condition` is true, from the top.
  public func first(where condition: (Node) -> Bool) -> Node? { tree.inOrder.first(where: condition) }

  /// The first node with this label.
  public func find(_ label: String) -> Node? { tree.first(label) }

  /// The first node with this identity.
  public func find<ID: Hashable>(id: ID) -> Node? { tree.first(identity: AnyHashable(id)) }

  /// Taps the first button with this label, or else with this identity.
  public func tap(_ label: String) throws {
    if case .tap(let action) = try tree.control("Button", label).action { action() }
  }

  /// Selects the first option with this label in the first picker with a label, or, without one, the first tab, option or row.
  public func select(_ label: String, in picker: String? = nil) throws {
    guard case .tap(let action) = try tree.choice(label, in: picker).action else { return }
    action()
  }

  /// Deletes the first row with this label or identity, as `onDelete(perform:)` says.
  public func delete(_ label: String) throws {
    guard let delete = try tree.control("Row", label).row?.delete else {
      throw ActionError.disabled(label: label)
    }
    delete()
  }

  /// Moves the first row with this label or identity before the one that has an offset now, as `onMove(perform:)` says.
  public func move(_ label: String, toOffset destination: Int) throws {
    guard let move = try tree.control("Row", label).row?.move else {
      throw ActionError.disabled(label: label)
    }
    move(destination)
  }

  /// Turns the first toggle with this label, or else with this identity, on or off.
  public func toggle(_ label: String) throws {
    if case .toggle(let isOn) = try tree.control("Toggle", label).action { isOn.wrappedValue.toggle() }
  }

  /// Types text into the first field with this label or identity, and replaces its text. The field gets the focus.
  public func type(_ text: String, into label: String) throws {
    let field = try field(label)
    if focusKey != field.key { focused = field }
    if case .type(let value) = field.action { value.wrappedValue = text }
  }

  /// Gives the focus to the first control with this label or identity.
  public func focus(_ label: String) throws {
    guard let node = tree.named(label, where: \.isControl) else {
      throw ActionError.notFound(kind: "control", label: label)
    }
    if !node.isEnabled { throw ActionError.disabled(label: label) }
    focused = node
  }

  /// Submits the text of the first field with this label or identity, as `onSubmit(of:_:)` says.
  public func submit(_ label: String) throws { try field(label).submit?() }

  private func field(_ label: String) throws -> Node {
    let isSecret = tree.named(label) { $0.kind.hasSuffix("Field") }?.kind == "SecureField"
    return try tree.control(isSecret ? "SecureField" : "TextField", label)
  }

  /// Moves the first slider with this label or identity to a number, or to the nearest that can be chosen.
  public func slide(_ label: String, to number: Double) throws {
    if case .slide(let value, _) = try tree.control("Slider", label).action { value.wrappedValue = number }
  }

  /// Increases the first stepper with this label or identity by a step.
  public func increment(_ label: String) throws {
    if case .step(let up, _) = try tree.control("Stepper", label).action { try step(up, label) }
  }

  /// Decreases the first stepper with this label or identity by a step.
  public func decrement(_ label: String) throws {
    if case .step(_, let down) = try tree.control("Stepper", label).action { try step(down, label) }
  }

  private func step(_ step: (() -> Void)?, _ label: String) throws {
    guard let step else { throw ActionError.disabled(label: label) }
    step()
  }

  /// Refreshes the first list that can be refreshed, as `refreshable(action:)` says, and returns when that is done.
  public func refresh() async throws {
    guard let refresh = tree.inOrder.lazy.compactMap(\.refresh).first else {
      throw ActionError.notFound(kind: "List", label: "refreshable")
    }
    await refresh()
  }
}

/// Not of the main actor: its closures would check the thread, and a scheduler's is good too.
extension ViewHost.Node {
  /// The first control of this kind in it with this label, or else with this identity.
  fileprivate func control(_ kind: String, _ label: String) throws -> Self {
    guard let named = named(label, where: { $0.kind == kind }) else {
      let controls = ["Button", "Toggle", "TextField", "SecureField", "Slider", "Stepper"]
      let other = first(label) { controls.contains($0.kind) }
      throw other.map { .isOther(label: label, kind: $0.kind, expected: kind) }
        ?? ViewHost.ActionError.notFound(kind: kind, label: label)
    }
    if !named.isEnabled { throw ViewHost.ActionError.disabled(label: label) }
    return named
  }

  /// The first node in it with this label, or else with this identity, for which `condition` is true.
  fileprivate func named(_ label: String, where condition: (Self) -> Bool) -> Self? {
    first(label, where: condition) ?? inOrder.first { condition($0) && $0.id == AnyHashable(label) }
  }

  /// The first option or tab in it with this label; in a picker, if one is named.
  fileprivate func choice(_ label: String, in picker: String?) throws -> Self {
    guard let picker else {
      guard let found = first(label, where: { ["Tab", "Option", "Row"].contains($0.kind) }) else {
        throw ViewHost.ActionError.notFound(kind: "Tab, Option or Row", label: label)
      }
      return try found.control(found.kind, label)
    }
    let named = inOrder.first { $0.kind == "Picker" && $0.children.first?.label == picker }
    guard let named else { throw ViewHost.ActionError.notFound(kind: "Picker", label: picker) }
    return try named.control("Option", label)
  }

  /// The first node in it with this identity.
  fileprivate func first(identity: AnyHashable) -> Self? { inOrder.first { $0.id == identity } }

  /// The first node in it with this label for which `condition` is true.
  fileprivate func first(_ label: String, where condition: (Self) -> Bool = { _ in true }) -> Self? {
    let digest = LabelDigest(of: label)
    return inOrder.first { condition($0) && $0.isCalled(label, digest) }
  }
}
