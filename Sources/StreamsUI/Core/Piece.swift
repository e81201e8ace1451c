import StreamsScopes

/// The result of an evaluation: the elements that are shown, and references to other scopes' pieces.
indirect enum Piece {
  case element(Element)
  /// The pieces of this scope's body.
  case scope(Scope)
  /// The pieces made within a scope that has no body.
  case within(Scope, [Piece])
  case identified(AnyHashable, [Piece])
}

/// Something that is shown.
struct Element {
  var kind: String
  var text = ""
  var attributes: [String: String] = [:]
  var action = ViewHost.Node.Action.none
  /// Of a row that can be deleted or moved.
  var row: ViewHost.Node.Row?
  /// Of a window or a popover.
  var presentation: Presentation?
  /// Whether each thing shown in it gets its own element.
  var isForEach = false
  /// Whether it and what is in it are not shown, though they are in the tree; presentations are.
  var isHidden = false
  /// The path to it within its scope's body.
  var path: Scope.Identity = []
  var pieces: [Piece] = []
}

/// A scope whose body makes pieces.
protocol Rendered: ScopeContent {
  var pieces: [Piece] { get }
  /// The nodes of the pieces, if they have been asked for since the pieces here and in the scopes below last changed.
  var made: NodeMaker.Made? { get set }
  var name: String { get }
}
