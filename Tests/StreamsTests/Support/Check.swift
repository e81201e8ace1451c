import Testing

/// `#expect` for a condition that changes what it looks at, such as an event of a state machine.
func check(_ condition: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(condition, sourceLocation: sourceLocation)
}
