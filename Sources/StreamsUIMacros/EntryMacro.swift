/// `@Entry`: makes a property of the environment, or of a transaction, from a variable with a default.
///
///     extension EnvironmentValues {
///       @Entry var volume: Int = 5
///     }
///
/// becomes
///
///     extension EnvironmentValues {
///       var volume: Int {
///         get { self[__Key_volume.self] }
///         set { self[__Key_volume.self] = newValue }
///       }
///       private enum __Key_volume: StreamsUI.EnvironmentKey {
///         static var defaultValue: Int { return (5) }
///       }
///     }
enum EntryMacro {
  enum Problem: Error, CustomStringConvertible {
    case notVariable
    case withoutDefault
    case elsewhere

    var description: String {
      switch self {
      case .notVariable: "'@Entry' needs a 'var' with one name"
      case .withoutDefault: "'@Entry' needs a default value, unless the property is optional"
      case .elsewhere: "'@Entry' needs a property in an extension of EnvironmentValues or Transaction"
      }
    }
  }

  /// The text that the macro adds in a role.
  static func expand(_ expansion: Expansion) throws(Problem) -> String {
    let property = try VariableDeclaration(expansion.declSyntax.source)
    let around = expansion.lexicalContext?.first ?? expansion.parentDeclSyntax
    let key = try keyProtocol(in: around?.source ?? "")
    return expansion.macroRole == "accessor" ? accessors(property) : try keyType(property, key)
  }

  private static func accessors(_ property: VariableDeclaration) -> String {
    let key = property.keyName
    return "{\n  get { self[\(key).self] }\n  set { self[\(key).self] = newValue }\n}"
  }

  private static func keyType(
    _ property: VariableDeclaration, _ key: String
  ) throws(Problem) -> String {
    guard let value = property.value ?? (property.isOptional ? "nil" : nil) else {
      throw .withoutDefault
    }
    // Each time anew, as an object that is made there is in SwiftUI. Without the type that cannot be written.
    let member =
      property.type.map { "static var defaultValue: \($0) { return (\(value)\n) }" }
      ?? "static let defaultValue = \(value)"
    return "private enum \(property.keyName): StreamsUI.\(key) {\n  \(member)\n}"
  }

  private static func keyProtocol(in declaration: String) throws(Problem) -> String {
    var scanner = SourceScanner(declaration)
    while let word = scanner.word(), !["extension", "struct"].contains(word) {}
    switch scanner.path()?.last {
    case "EnvironmentValues": return "EnvironmentKey"
    case "Transaction": return "TransactionKey"
    default: throw .elsewhere
    }
  }
}

/// A variable as it is declared.
struct VariableDeclaration: Equatable {
  let name: String
  let type: String?
  let value: String?

  init(_ source: String) throws(EntryMacro.Problem) {
    var scanner = SourceScanner(source)
    while let word = scanner.word(), word != "var" {
      if ["let", "func", "struct", "class", "enum"].contains(word) { throw .notVariable }
    }
    guard let name = scanner.path(), name.count == 1 else { throw .notVariable }
    self.name = name[0]
    type = scanner.take(":") ? scanner.text(upTo: "=") : nil
    value = scanner.take("=") ? scanner.rest() : nil
  }

  var keyName: String { "__Key_\(name.filter { $0 != "`" })" }

  var isOptional: Bool { type.map { $0.hasSuffix("?") || $0.hasPrefix("Optional<") } ?? false }
}
