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
  public func find<ID: Hashable>(id: ID) -> Node? { first { $0.id == AnyHashable(id) } }

  /// Taps the first button with this label, or else with this identity.
  public func tap(_ label: String) throws {
    if case .tap(let action) = try control("Button", label).action { action() }
  }

  /// Turns the first toggle with this label, or else with this identity, on or off.
  public func toggle(_ label: String) throws {
    if case .toggle(let isOn) = try control("Toggle", label).action { isOn.wrappedValue.toggle() }
  }

  /// Types text into the first field with this label or identity, and replaces its text.
  public func type(_ text: String, into label: String) throws {
    if case .type(let value) = try control("TextField", label).action { value.wrappedValue = text }
  }

  private func control(_ kind: String, _ label: String) throws -> Node {
    let tree = tree
    let named =
      tree.first(label) { $0.kind == kind }
      ?? tree.inOrder.first { $0.kind == kind && $0.id == AnyHashable(label) }
    guard let named else {
      let other = tree.first(label) { ["Button", "Toggle", "TextField"].contains($0.kind) }
      throw other.map { .isOther(label: label, kind: $0.kind, expected: kind) }
        ?? ActionError.notFound(kind: kind, label: label)
    }
    if !named.isEnabled { throw ActionError.disabled(label: label) }
    return named
  }
}

extension ViewHost.Node {
  /// The first node in it with this label for which `condition` is true.
  fileprivate func first(_ label: String, where condition: (Self) -> Bool = { _ in true }) -> Self? {
    let digest = LabelDigest(of: label)
    return inOrder.first { condition($0) && $0.isCalled(label, digest) }
  }
}
