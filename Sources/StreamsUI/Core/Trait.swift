/// A modifier that tells the view around something about a view, such as its tag in a picker. The view itself is unchanged.
protocol TraitModifier: ViewModifier, WholeModifier where Body == Never {
  associatedtype Trait
  nonisolated var trait: Trait { get }
}

extension TraitModifier {
  nonisolated static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    V._makeView(view.content, inputs)
  }
}

/// A view that may have traits.
private protocol TraitCarrier {
  func trait<Trait>(_ type: Trait.Type) -> Trait?
}

extension ModifiedContent: TraitCarrier {
  fileprivate func trait<Trait>(_ type: Trait.Type) -> Trait? {
    if let own = (modifier as? any TraitModifier)?.trait as? Trait { return own }
    return (content as? any TraitCarrier)?.trait(type)
  }
}

/// The outermost trait of this type that a view has, by the modifiers on it.
func trait<V, Trait>(_ type: Trait.Type, of view: V) -> Trait? {
  (view as? any TraitCarrier)?.trait(type)
}

/// The value by which a picker or a tab view knows a view.
struct Tag {
  let value: AnyHashable
}

nonisolated private struct TagModifier: TraitModifier {
  typealias Body = Never
  let trait: Tag
}

extension View {
  /// Sets the value that a ``Picker`` or a ``TabView`` selects with this view. Of several, the outermost counts.
  nonisolated public func tag<V: Hashable>(_ tag: V) -> some View {
    modifier(TagModifier(trait: Tag(value: AnyHashable(tag))))
  }
}
