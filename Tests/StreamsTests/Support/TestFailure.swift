/// An error to fail streams with.
struct TestFailure: Error, Equatable, Codable, CustomStringConvertible {
  var description: String { "failure" }

  init() {}
}
