import StreamsScopes
import Testing

/// What is at a place in a tree, of a type for each `Kind`.
private final class Content<Kind>: ScopeContent {
  let log: (String) -> Void
  init(log: @escaping (String) -> Void) { self.log = log }
  func evaluate(in scope: Scope) {
    log("evaluate \(Kind.self)")
    scope.walk { scope.place(Content<Bool>.self, log) }
  }
  func remove(from scope: Scope) { log("remove \(Kind.self)") }
}

/// Has a child of another type in each evaluation.
private final class Top: ScopeContent {
  var place: (Scope) -> Void
  init(_ place: @escaping (Scope) -> Void) { self.place = place }
  func evaluate(in scope: Scope) { scope.walk { place(scope) } }
  func remove(from scope: Scope) {}
}

extension Scope {
  fileprivate func place<Kind>(_ type: Content<Kind>.Type, _ log: @escaping (String) -> Void) {
    let (child, content) = child([], with: type)
    if depth < 2, content == nil {
      child.content = Content<Kind>(log: log)
      child.invalidate()
    }
  }
}

@Suite struct ScopeContentTests {
  @Test func contentOfAnotherTypeIsRemovedWithAllBelowIt() {
    let tree = ScopeTree()
    var log: [String] = []
    func show(_ place: @escaping (Scope) -> Void) -> [String] {
      log = []
      tree.root.content = Top(place)
      tree.root.invalidate()
      tree.update()
      return log
    }
    let (int, string) = (
      { (scope: Scope) in scope.place(Content<Int>.self) { log.append($0) } },
      { (scope: Scope) in scope.place(Content<String>.self) { log.append($0) } }
    )
    #expect(show(int) == ["evaluate Int", "evaluate Bool"])
    #expect(show(int) == [])
    weak let first = tree.root.children.first
    #expect(show(string) == ["remove Int", "remove Bool", "evaluate String", "evaluate Bool"])
    #expect(first == nil && tree.root.children.count == 1)
    // Another one may have the same identity.
    let both = show {
      int($0)
      string($0)
    }
    #expect(
      both.sorted() == [
        "evaluate Bool", "evaluate Bool", "evaluate Int", "evaluate String", "remove Bool", "remove String",
      ])
    #expect(show { _ in }.sorted() == ["remove Bool", "remove Bool", "remove Int", "remove String"])
    tree.unmount()
  }
}
