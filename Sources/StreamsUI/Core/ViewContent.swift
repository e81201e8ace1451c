import StreamsObservation
import StreamsScopes

/// A view in its place in the tree: its value and the storage of its properties.
final class ViewContent<V: View>: Rendered {
  private var view: V
  private let core: HostCore
  private let properties = PropertyPlan.of(V.self)
  private var slots: [AnyObject?]
  private var reads: ObservableReads?
  private(set) var pieces: [Piece] = []
  var made: NodeMaker.Made?

  init(_ view: V, _ core: HostCore) {
    (self.view, self.core) = (view, core)
    slots = Array(repeating: nil, count: properties.steps.count)
  }

  var name: String { (V.self as? any Carrier.Type)?.carriedName ?? shortName(of: V.self) }

  /// Takes the view's new value. Returns whether it differs.
  func take(_ new: V) -> Bool {
    let isSame = areEqual(view, new)
    view = new
    return !isSame
  }

  func evaluate(in scope: Scope) {
    show([], in: scope)
    let reads = self.reads ?? ObservableReads(properties.observables) { [weak scope] in scope?.invalidate() }
    self.reads = reads
    if let pieces = reads.track({ makePieces(in: scope) }) { show(pieces, in: scope) }
    core.preferences.note(in: scope.tree)
    core.focus.note(in: scope.tree)
  }

  /// Runs the body. Returns nil if something is missing for it.
  private func makePieces(in scope: Scope) -> [Piece]? {
    let context = PropertyContext(scope: scope, core: core, type: V.self)
    // A copy, because the connected properties must not be compared.
    nonisolated(unsafe) var connected = view
    properties.connect(&connected, &slots, context)
    core.setProblem(context.problem, at: scope)
    if context.problem != nil {
      scope.walk {}
      return nil
    }
    if let report = core.listeners.evaluation, !(V.self is any Silent.Type) {
      report(ViewHost.Evaluation(view: name, path: HostCore.path(of: scope)))
    }
    let inputs = _ViewInputs(core: core, scope: scope)
    let body = onMainActor { connected.body }
    scope.walk { V.Body._makeView(body, inputs) }
    return inputs.pieces
  }

  private func show(_ new: [Piece], in scope: Scope) {
    (pieces, made) = (new, nil)
    NodeMaker.forgetNodes(from: scope.parent)
  }

  func remove(from scope: Scope) {
    core.setProblem(nil, at: scope)
    (pieces, slots, made, reads) = ([], [], nil, nil)
  }
}

/// A view of this library whose evaluations are not reported.
protocol Silent {}

/// A view that carries a value with properties that is not a view, in the field of this name.
protocol Carrier {
  static var carriedField: String { get }
  static var carriedName: String { get }
}

extension ModifiedContent: Silent where Modifier: Silent {}

extension ModifiedContent: Carrier {
  static var carriedField: String { "modifier" }
  static var carriedName: String { shortName(of: Modifier.self) }
}

/// The type's name without its generic arguments.
func shortName(of type: Any.Type) -> String {
  let name = String(describing: type)
  return String(name.prefix { $0 != "<" })
}
