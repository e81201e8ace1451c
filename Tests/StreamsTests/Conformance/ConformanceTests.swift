import Foundation
import Testing

/// The cases of Tests/Catalogue, which the C and Python tests run too.
@Suite struct ConformanceTests {
  static let table: [JSONValue] = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appendingPathComponent("Catalogue")
    do {
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      return try files.filter { $0.pathExtension == "json" }.flatMap(cases)
    } catch {
      fatalError("\(folder.path): \(error)")
    }
  }()

  /// The cases of all entries in a file; none in one that is no list of entries.
  private static func cases(of file: URL) throws -> [JSONValue] {
    guard case .list(let entries) = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
    else { return [] }
    return entries.flatMap { entry -> [JSONValue] in
      if case .list(let cases)? = entry["cases"] { return cases }
      return []
    }
  }

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
