import StreamsScopes

/// What an evaluation has brought forth: what is shown, with gaps where other scopes' pieces are.
indirect enum Piece {
  case element(Element)
  /// What this scope's body brings forth.
  case scope(Scope)
  /// What is made within a scope that has no body.
  case within(Scope, [Piece])
  case identified(AnyHashable, [Piece])
}

/// Something that is shown.
struct Element {
  var kind: String
  var text = ""
  var attributes: [String: String] = [:]
  var action = ViewHost.Node.Action.none
  /// Of a window or a popover.
  var presentation: Presentation?
  /// Whether there is one for each thing in it that is shown.
  var isForEach = false
  /// The way to it within its scope's body.
  var path: Scope.Identity = []
  var pieces: [Piece] = []
}

/// A scope whose body brings forth pieces.
protocol Rendered: ScopeContent {
  var pieces: [Piece] { get }
  /// Nodes of the pieces, if somebody has asked since these and those of the scopes below have changed.
  var made: NodeMaker.Made? { get set }
  var name: String { get }
}
