import Testing

/// A rule and what it is applied to.
struct RuleCase: Sendable, CustomTestStringConvertible {
  let entry: Entry
  let rule: Rule

  var testDescription: String { "\(entry.name): \(rule.rawValue)" }

  static let all = Entry.all.flatMap { entry in
    Rule.allCases.filter { $0.applies(to: entry) }.map { RuleCase(entry: entry, rule: $0) }
  }
}

@Suite struct RuleTests {
  /// Applies a rule to an entry. An exception must be one: an entry that keeps the rule after all may have none.
  @Test(.timeLimit(.minutes(30)), arguments: RuleCase.all)
  func holds(_ instance: RuleCase) {
    let findings = Findings()
    instance.rule.check(instance.entry, findings)
    if let reason = instance.entry.exceptions[instance.rule] {
      #expect(!findings.violations.isEmpty, "kept, although there is an exception: \(reason)")
    } else {
      for violation in findings.violations.prefix(5) { Issue.record("\(violation)") }
    }
  }

  @Test func namesAreUnique() {
    let names = Entry.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  /// An exception from a rule that does not apply would never be looked at.
  @Test(arguments: Entry.all)
  func exceptionsAreFromRulesThatApply(_ entry: Entry) {
    for rule in entry.exceptions.keys { #expect(rule.applies(to: entry), "\(rule.rawValue)") }
  }

  /// What the rule about last values must find something to say about.
  @Test func operatorsThatFinishEarlyAreKnown() {
    let known: Set = ["first", "first(where:)", "prefix(10)"]
    let found = Entry.all.filter { Rule.finishesWithItsLastValue($0) }.map(\.name)
    #expect(known.subtracting(found).sorted() == [])
  }
}
