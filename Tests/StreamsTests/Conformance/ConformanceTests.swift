import Foundation
import Testing

/// Tests/Conformance/cases.json, which the C and Python tests run too.
@Suite struct ConformanceTests {
  static let table: [JSONValue] = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = tests.appendingPathComponent("Conformance/cases.json")
    do {
      return try JSONDecoder().decode([JSONValue].self, from: Data(contentsOf: file))
    } catch {
      fatalError("\(file.path): \(error)")
    }
  }()

  static let names = table.map { $0["name"]!.string }

  @Test(arguments: names, [false, true])
  func givesTheTrace(name: String, splitsBatches: Bool) throws {
    let description = try #require(Self.table.first { $0["name"]!.string == name })
    for step in CaseRunner(description, splitsBatches: splitsBatches).run() {
      #expect(step.events == step.expected, "\(name), \(step.action)")
    }
  }

  @Test func namesAreDifferent() {
    #expect(Set(Self.names).count == Self.names.count)
    #expect(Self.names.count > 100)
  }
}
