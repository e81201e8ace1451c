import Foundation
import Testing

/// The cases of Tests/Catalogue, which the C and Python tests run too.
@Suite struct ConformanceTests {
  /// The cases of each file.
  static let table: [String: [JSONValue]] = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appendingPathComponent("Catalogue")
    do {
      let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      let tables = files.filter { $0.pathExtension == "json" }
      return try Dictionary(uniqueKeysWithValues: tables.map { ($0.lastPathComponent, try cases(of: $0)) })
    } catch {
      fatalError("\(folder.path): \(error)")
    }
  }()

  /// The cases of all entries in a file; none in one that is no list of entries.
  private static func cases(of file: URL) throws -> [JSONValue] {
    guard case .list(let entries) = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
    else { return [] }
    return entries.flatMap { $0["cases"]?.list ?? [] }
  }

  /// All cases of a file as one of the framework's, which costs more than these.
  @Test(arguments: table.keys.sorted(), [false, true])
  func givesTheTrace(file: String, splitsBatches: Bool) {
    for description in Self.table[file]! {
      for step in CaseRunner(description, splitsBatches: splitsBatches).run() {
        #expect(step.events == step.expected, "\(description["name"]!.string), \(step.action)")
      }
    }
  }

  @Test func namesAreDifferent() {
    let names = Self.table.values.joined().map { $0["name"]!.string }
    #expect(Set(names).count == names.count)
    #expect(names.count > 100)
  }
}
