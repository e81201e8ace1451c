/// What the compiler asks for. It has more kinds of requests, which concern macros of other kinds.
struct Request: Decodable {
  struct Capability: Decodable {}

  var getCapability: Capability?
  var expandAttachedMacro: Expansion?
}

/// A request to expand an attached macro in one of its roles.
struct Expansion: Decodable {
  var macroRole: String
  /// The declaration that has the macro.
  var declSyntax: Syntax
  /// What the declaration is in.
  var parentDeclSyntax: Syntax?
  /// What the declaration is in, the innermost first, without members.
  var lexicalContext: [Syntax]?

  struct Syntax: Decodable {
    var source: String
    var location: Location
  }
}

/// A place in the program.
struct Location: Decodable {
  var fileName: String
  var offset: Int
}

/// What is wrong in the program.
struct Diagnostic: Encodable {
  struct Position: Encodable {
    var fileName = ""
    var offset = 0
  }
  struct Part: Encodable {}

  var message: String
  var severity = "error"
  var position = Position()
  var highlights: [Part] = []
  var notes: [Part] = []
  var fixIts: [Part] = []

  init(_ message: String, at location: Location?) {
    self.message = message
    if let location { position = Position(fileName: location.fileName, offset: location.offset) }
  }
}

/// What the compiler is answered.
struct Answer: Encodable {
  struct Capability: Encodable {
    struct Version: Encodable { var protocolVersion = 7 }

    var capability = Version()
  }

  struct Result: Encodable {
    var expandedSource: String?
    var diagnostics: [Diagnostic]
  }

  private var getCapabilityResult: Capability?
  private(set) var expandMacroResult: Result?

  static let capability = Answer(getCapabilityResult: Capability())

  static func expansion(_ source: String?, _ diagnostics: [Diagnostic]) -> Answer {
    Answer(expandMacroResult: Result(expandedSource: source, diagnostics: diagnostics))
  }
}
