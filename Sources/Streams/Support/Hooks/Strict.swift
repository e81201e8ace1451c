/// A publisher that can keep a rule that Combine leaves open or breaks.
///
/// By default it behaves as Combine does. The strict form is for modules that promise the rule for every
/// operator.
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
