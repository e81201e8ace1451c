import Testing

@testable import StreamsUIMacros

@Suite("The macro Entry")
struct EntryMacroTests {
  private func expand(
    _ role: String, _ declaration: String, in context: String = "extension EnvironmentValues {}"
  ) throws -> String {
    let location = Location(fileName: "Volume.swift", offset: 0)
    return try EntryMacro.expand(
      Expansion(
        macroRole: role, declSyntax: .init(source: declaration, location: location),
        lexicalContext: [.init(source: context, location: location)]))
  }

  @Test("A variable gets accessors, and a key with its default")
  func variable() throws {
    #expect(
      try expand("accessor", "@Entry public var volume: Int = 5") == """
        {
          get { self[__Key_volume.self] }
          set { self[__Key_volume.self] = newValue }
        }
        """)
    #expect(
      try expand("peer", "@Entry public var volume: Int = 5") == """
        private enum __Key_volume: StreamsUI.EnvironmentKey {
          static var defaultValue: Int { return (5
        ) }
        }
        """)
  }

  @Test("Without a type, the default is a constant")
  func untyped() throws {
    let key = try expand("peer", "@Entry var isUndo = false", in: "public extension StreamsUI.Transaction {")
    #expect(key.hasPrefix("private enum __Key_isUndo: StreamsUI.TransactionKey {"))
    #expect(key.contains("static let defaultValue = false\n"))
  }

  @Test("The default of an optional is nil", arguments: ["Int?", "Optional<Int>", "(() -> Int)?"])
  func optional(type: String) throws {
    #expect(
      try expand("peer", "@Entry var volume: \(type)").contains("defaultValue: \(type) { return (nil\n)"))
  }

  @Test("What it cannot be attached to is named")
  func problems() {
    #expect(throws: EntryMacro.Problem.withoutDefault) { try expand("peer", "@Entry var volume: Int") }
    #expect(throws: EntryMacro.Problem.notVariable) { try expand("peer", "@Entry let volume = 5") }
    #expect(throws: EntryMacro.Problem.notVariable) { try expand("peer", "@Entry var (one, other) = (1, 2)") }
    #expect(throws: EntryMacro.Problem.elsewhere) {
      try expand("peer", "@Entry var volume = 5", in: "struct Player: View {}")
    }
  }

  @Test("A declaration is read through attributes, modifiers and comments")
  func declaration() throws {
    let read = try VariableDeclaration(
      """
      /// The volume, var none: String = "".
      @Entry @available(macOS 14, *) @MainActor
      public internal(set) /* var /* no */ */ var `default` // why
        : [String: (Int) -> Int?]
        = ["a=b": { $0 == 1 ? nil : $0 }] // all
      """)
    #expect(read.name == "`default`")
    #expect(read.keyName == "__Key_default")
    #expect(read.type == "[String: (Int) -> Int?]")
    #expect(read.value == "[\"a=b\": { $0 == 1 ? nil : $0 }] // all")
    #expect(!read.isOptional)
  }
}
