import Foundation

/// The publishers that source files offer, to everybody or to the package.
struct PublisherDeclarations {
  /// The names, with those of the types they are nested in: `Publishers.Map`.
  private(set) var names: Set<String> = []

  /// Reads all Swift files below a folder.
  init(below folder: URL) throws {
    for file in swiftFiles(below: folder) {
      var reader = DeclarationReader(try String(contentsOf: file, encoding: .utf8))
      names.formUnion(reader.publishers())
    }
  }

  /// Reads a text.
  init(in text: String) {
    var reader = DeclarationReader(text)
    names = reader.publishers()
  }

  /// The name of a publisher's type in the form that the declarations have: without modules and generic arguments.
  static func name(of type: Any.Type) -> String {
    var name = String(reflecting: type)
    // Extensions of another module's types say where they are: "(extension in Streams):Swift.Optional<…>.Publisher".
    if name.hasPrefix("("), let colon = name.firstIndex(of: ":") {
      name = String(name[name.index(after: colon)...])
    }
    var depth = 0
    var previous: Character = " "
    let bare = name.filter { character in
      defer { previous = character }
      if character == "<" { depth += 1 }
      if character == ">", previous != "-" {
        depth -= 1
        return false
      }
      return depth == 0
    }
    return bare.split(separator: ".").dropFirst().joined(separator: ".")
  }
}

/// All Swift files below a folder.
func swiftFiles(below folder: URL) -> [URL] {
  let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
  return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
}

/// Finds declarations of types by their tokens. It knows as much of Swift as it takes to follow the braces.
private struct DeclarationReader {
  private var tokens: ArraySlice<Substring>
  private var modifiers: Set<Substring> = []

  init(_ text: String) {
    // Strings and comments may hold braces.
    let code = text.replacing(/"(\\.|[^"\\\n])*"/, with: "").replacing(/\/\/[^\n]*/, with: "")
    tokens = code.matches(of: /[A-Za-z_][A-Za-z0-9_]*|->|[^\sA-Za-z_]/).map(\.output)[...]
  }

  mutating func publishers() -> Set<String> {
    var found: Set<String> = []
    // The types that are open; nil for any other brace.
    var scopes: [String?] = []
    while let token = tokens.popFirst() {
      switch token {
      case "struct", "class", "enum", "actor", "extension", "protocol":
        guard let declaration = readHeader() else { break }
        let name = (scopes.compactMap { $0 } + [declaration.name]).joined(separator: ".")
        let isType =
          token != "protocol" && (token == "extension" || !modifiers.isDisjoint(with: ["public", "package"]))
        if isType, declaration.isPublisher { found.insert(name) }
        scopes.append(declaration.name)
      case "{": scopes.append(nil)
      case "}": _ = scopes.popLast()
      case "public", "package", "final", "open", "indirect":
        modifiers.insert(token)
        continue
      default: break
      }
      modifiers = []
    }
    return found
  }

  /// Reads from a type's name to its opening brace; nil if this is no type, as in `class func`.
  private mutating func readHeader() -> (name: String, isPublisher: Bool)? {
    guard let first = tokens.first, first.first!.isLetter,
      !["func", "var", "let", "subscript"].contains(first)
    else { return nil }
    var name = ""
    var inherited: [Substring] = []
    var isInherited = false
    var depth = 0
    while let token = tokens.popFirst(), token != "{" {
      switch token {
      case "<", "(": depth += 1
      case ">", ")": depth -= 1
      case _ where depth > 0: break
      case ":": isInherited = true
      case "where":
        // Constraints name protocols too.
        isInherited = false
        depth = 1
      default: if isInherited { inherited.append(token) } else { name += token }
      }
    }
    return (name, inherited.contains { ["Publisher", "ConnectablePublisher", "Subject"].contains($0) })
  }
}
