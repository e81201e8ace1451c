import Testing

@Suite struct RuleTests {
  /// Applies the rules to an entry: as one case, since each costs the framework as much as many a rule. An exception must be
  /// one: an entry that keeps the rule after all may have none.
  @Test(.timeLimit(.minutes(30)), arguments: Entry.all)
  func keepsTheRules(_ entry: Entry) {
    for rule in Rule.allCases where rule.applies(to: entry) {
      let findings = Findings()
      rule.check(entry, findings)
      if let reason = entry.exceptions[rule] {
        #expect(
          !findings.violations.isEmpty, "\(rule.rawValue): kept, although there is an exception: \(reason)")
      } else {
        for violation in findings.violations.prefix(5) { Issue.record("\(rule.rawValue): \(violation)") }
      }
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
