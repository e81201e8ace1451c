/// A publisher that can keep a rule which Combine leaves open, or breaks.
///
/// As it is made, it does as Combine does. The strict form is for those who promise the rule for every
/// operator.
@usableFromInline
package protocol Strict {
  /// Whether it keeps the rule. False as it is made.
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
