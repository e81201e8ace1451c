/// A publisher that can keep a rule that Combine leaves open or breaks.
///
/// By default it behaves as Combine does. The strict form is for modules that promise the rule for every
/// operator. Some publishers keep the rule also where the downstream relies on it.
@usableFromInline
package protocol Strict {
  /// Whether it keeps the rule. False by default.
  var isStrict: Bool { get set }
}

extension Strict {
  /// The publisher that keeps the rule.
  @inlinable
  package func strict() -> Self {
    var strict = self
    strict.isStrict = true
    return strict
  }
}

/// A subscriber that may lose values or trap where a rule is broken: those of this library's operators, and of `values`.
@usableFromInline
package protocol ReliesOnRules {}

extension Downstream {
  /// Whether the subscriber relies on the rules, which is that of an operator or of `values`.
  @usableFromInline package var reliesOnRules: Bool { Streams.reliesOnRules(subscriber) }
}

private func reliesOnRules(_ subscriber: Any) -> Bool {
  if let wrapper = subscriber as? any SubscriberWrapper { return reliesOnRules(wrapper.wrapped) }
  return subscriber is any ReliesOnRules
}
