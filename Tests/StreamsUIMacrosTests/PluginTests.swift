import Foundation
import Testing

@testable import StreamsUIMacros

@Suite("What the compiler and its helper say to each other")
struct PluginTests {
  private func answer(_ request: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let request = try JSONDecoder().decode(Request.self, from: Data(request.utf8))
    return String(decoding: try encoder.encode(Plugin.answer(request)), as: UTF8.self)
  }

  private func expansion(_ role: String, of declaration: String) -> String {
    """
    {"expandAttachedMacro": {
      "macro": {"moduleName": "StreamsUIMacros", "typeName": "EntryMacro", "name": "Entry"},
      "macroRole": "\(role)", "discriminator": "", "attributeSyntax": {},
      "declSyntax": {"kind": "declaration", "source": "\(declaration)",
        "location": {"fileID": "A/B.swift", "fileName": "B.swift", "offset": 7, "line": 1, "column": 8}},
      "lexicalContext": [{"kind": "declaration", "source": "extension EnvironmentValues {}",
        "location": {"fileID": "A/B.swift", "fileName": "B.swift", "offset": 0, "line": 1, "column": 1}}]}}
    """
  }

  @Test("It says which version it speaks")
  func capability() throws {
    let answered = try answer(#"{"getCapability": {"capability": {"protocolVersion": 7}}}"#)
    #expect(answered == #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#)
  }

  @Test("It answers each request, until an empty one")
  func serves() throws {
    let (requests, answers) = (Pipe(), Pipe())
    let request = Data(#"{"getCapability": {"capability": {"protocolVersion": 7}}}"#.utf8)
    let header = Data([UInt8(request.count)] + Array(repeating: 0, count: 7))
    try requests.fileHandleForWriting.write(contentsOf: header + request + header + request + Data(count: 8))
    try Plugin.serve(
      from: requests.fileHandleForReading.fileDescriptor, to: answers.fileHandleForWriting.fileDescriptor)
    try answers.fileHandleForWriting.close()
    let answered = try answers.fileHandleForReading.readToEnd() ?? Data()
    let expected = #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#
    let one = Data([UInt8(expected.utf8.count)] + Array(repeating: 0, count: 7)) + Data(expected.utf8)
    #expect(answered == one + one)
  }

  @Test("It expands a macro")
  func expands() throws {
    let answered = try answer(expansion("peer", of: "@Entry var volume = 5"))
    #expect(answered.contains(#"{"expandMacroResult":{"diagnostics":[],"expandedSource":"private enum"#))
  }

  @Test("A mistake of the program is told once, with its place")
  func mistake() throws {
    let told = try answer(expansion("accessor", of: "@Entry let volume = 5"))
    #expect(told.contains(#""fileName":"B.swift","offset":7"#))
    #expect(told.contains("needs a 'var'"))
    #expect(try answer(expansion("peer", of: "@Entry let volume = 5")).contains(#""diagnostics":[]"#))
  }

  @Test("A request of another kind gets an answer, too")
  func other() throws {
    #expect(try answer(#"{"expandFreestandingMacro": {}}"#).contains("no macro of this kind"))
  }
}
