import Testing

/// Expects a result of a mutating call, which `#expect` cannot look into.
func expectEqual<Value: Equatable>(
  _ actual: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(actual == expected, sourceLocation: sourceLocation)
}
