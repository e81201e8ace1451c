import Foundation
import Streams
import StreamsScopes

/// A problem at a place in the tree.
protocol Problem: Error, CustomStringConvertible {
  var path: String { get }
}

extension ViewHost.MissingObject: Problem {}

extension ViewHost.EndlessUpdate: Problem {
  var path: String { paths.joined(separator: ", ") }
}

/// How a host's scheduler runs actions.
struct HostSchedule {
  let now: (@escaping () -> Void) -> Void
  let later: (_ milliseconds: Int, _ action: @escaping () -> Void) -> Void
  /// Starts a measurement. Returns a function that tells whether less than that many milliseconds have passed.
  let measure: () -> (_ milliseconds: Int) -> Bool

  init<S: Scheduler>(_ scheduler: S) {
    now = { scheduler.schedule($0) }
    later = { scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds($0)), $1) }
    measure = {
      let start = scheduler.now
      return { start.distance(to: scheduler.now) < .milliseconds($0) }
    }
  }
}

/// Shared by the places of a host's views.
final class HostCore: @unchecked Sendable {
  let tree: ScopeTree
  let announcements: Announcements
  private let measure: (() -> (Int) -> Bool)?
  let focus = FocusCenter()
  let preferences = PreferenceCenter()
  private let problems = Lock<[ObjectIdentifier: any Problem]>([:])
  private let endless = Lock<ViewHost.EndlessUpdate?>(nil)
  /// Whether the running update was started by hand.
  private(set) var isUpdatedByHand = false
  /// The program's callbacks.
  struct Listeners {
    var evaluation: ((ViewHost.Evaluation) -> Void)?
    var update: (() -> Void)?
  }
  private let told = Lock(Listeners())

  init(schedule: HostSchedule?) {
    tree = ScopeTree(schedule: schedule?.now)
    announcements = Announcements(schedule: schedule?.later)
    measure = schedule?.measure
    focus.core = self
    tree.giveUp = { [weak self] scopes in
      self?.finish(ViewHost.EndlessUpdate(paths: scopes.map(Self.path).sorted()))
    }
    tree.updated = { [weak self] in self?.finish(nil) }
  }

  var listeners: Listeners {
    get { told.withLock { $0 } }
    set {
      var replaced = newValue
      told.withLock { swap(&$0, &replaced) }
    }
  }

  func updateByHand() {
    announcements.lookAgain()
    tree.update { isUpdatedByHand = $0 }
  }

  // MARK: Problems

  var errors: [any Error] {
    let missing = problems.withLock { $0.values.sorted { $0.path < $1.path } }
    return missing + (endless.withLock { $0 }.map { [$0] } ?? [])
  }

  /// Starts to measure rounds that go by way of a scheduler; nil if the update is made by hand.
  func measureRounds() -> ((_ milliseconds: Int) -> Bool)? { isUpdatedByHand ? nil : measure?() }

  func setProblem(_ problem: (any Problem)?, at scope: Scope) {
    let key = ObjectIdentifier(scope)
    let isNew = problems.withLock { problems in
      if problem == nil && problems.isEmpty { return false }
      let known = problems.updateValue(problem, orRemoveFor: key)
      return problem != nil && known?.path != problem?.path
    }
    if isNew, let problem { Self.warn(problem.description) }
  }

  private func finish(_ error: ViewHost.EndlessUpdate?) {
    endless.withLock { $0 = error }
    if let error { Self.warn(error.description) }
    listeners.update?()
  }

  nonisolated(unsafe) private static let reporter = Lock<@Sendable (String) -> Void>({ message in
    // The descriptor may be closed, or its file full.
    try? FileHandle.standardError.write(contentsOf: Data("StreamsUI: \(message)\n".utf8))
  })

  static var report: @Sendable (String) -> Void {
    get { reporter.withLock { $0 } }
    set {
      var replaced = newValue
      reporter.withLock { swap(&$0, &replaced) }
    }
  }

  static func warn(_ message: String) { report(message) }

  // MARK: Names

  /// The views on the path to a scope, with the places and identities that distinguish their parts.
  static func path(of scope: Scope) -> String {
    var parts: [String] = []
    var current: Scope? = scope
    while let scope = current {
      if let content = scope.content as? any Rendered { parts.append(content.name) }
      parts += scope.identity.reversed().map(name)
      current = scope.parent
    }
    return parts.reversed().filter { !$0.isEmpty }.joined(separator: "/")
  }

  static func name(of step: Scope.Step) -> String {
    switch step {
    case .index(let index): "\(index)"
    case .key(let key): "[\(key.base)]"
    }
  }
}

extension Dictionary {
  fileprivate mutating func updateValue(_ value: Value?, orRemoveFor key: Key) -> Value? {
    guard let value else { return removeValue(forKey: key) }
    return updateValue(value, forKey: key)
  }
}
