import Testing

/// Whether each operator takes part in the chains that pass each value on.
@Suite struct PassingOperatorTests {
  /// Why an operator is not among those that pass each value on.
  private static let others = [
    "combineLatest": "a value that is sent during another one replaces it",
    "CombineLatestMany": "a value that is sent during another one replaces it",
    "ZipMany": "one of a single publisher stands for it: zip",
    "measureInterval": "it sends lengths of time",
    "debounce": "it leaves values out",
    "throttle": "it leaves values out",
    "sample": "it leaves values out",
    "ignoreOutput": "it leaves values out",
    "first": "it sends one value",
    "tryFirst": "it sends one value",
    "last": "it sends one value",
    "tryLast": "it sends one value",
    "reduce": "it makes one value of all",
    "tryReduce": "it makes one value of all",
    "sum": "it makes one value of all",
    "count": "it makes one value of all",
    "min": "it makes one value of all",
    "tryMin": "it makes one value of all",
    "max": "it makes one value of all",
    "tryMax": "it makes one value of all",
    "contains": "it makes one value of all",
    "tryContains": "it makes one value of all",
    "allSatisfy": "it makes one value of all",
    "tryAllSatisfy": "it makes one value of all",
  ]

  @Test func everyOperatorTakesPart() {
    let names = Entry.all.filter { $0.kind == .attached }.map { String($0.name.prefix { $0.isLetter }) }
    let missing = Set(names).subtracting(PassingOperator.families.joined().map(\.name)).subtracting(
      Self.others.keys)
    #expect(missing.sorted() == [], "neither among those that pass values on nor said why not")
  }
}
