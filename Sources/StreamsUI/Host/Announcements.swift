import Streams
import StreamsScopes

/// Views of objects that call `objectWillChange.send()` by hand: nothing reports when such an object has changed.
///
/// The sending thread has made the change when its next update comes, unless that update is made by hand in the middle of the
/// change: then the view is evaluated once more. Another thread may evaluate the view before the change, and find the old value.
/// Such a view is evaluated again in each update that is made by hand, and by a scheduler at growing intervals for a second.
final class Announcements: @unchecked Sendable {
  private struct View {
    weak var scope: Scope?
    var thread: UInt32
    var time: ContinuousClock.Instant
    /// Whether all subscribers have been notified.
    var isOver: Bool
    /// Whether the next evaluation is sure to find the change made.
    var isLast = false
  }

  private struct State {
    var views: [ObjectIdentifier: View] = [:]
    /// Milliseconds until all views are evaluated again; nil if that is not scheduled.
    var pause: Int?
  }

  private let state = Lock(State())
  private let schedule: ((_ milliseconds: Int, _ action: @escaping () -> Void) -> Void)?

  init(schedule: ((Int, @escaping () -> Void) -> Void)?) { self.schedule = schedule }

  func add(_ scope: Scope, _ change: ObjectChange) {
    let thread = change == .underWay ? 0 : OwnerWord.currentThread
    let view = View(scope: scope, thread: thread, time: .now, isOver: change == .announced(isOver: true))
    state.withLock { $0.views[ObjectIdentifier(scope)] = view }
  }

  /// The view is being evaluated, on this thread.
  func evaluate(_ scope: Scope, byHand: Bool) {
    let key = ObjectIdentifier(scope)
    let isLeft = state.withLock { state in
      if state.views.isEmpty { return false }
      guard var view = state.views.removeValue(forKey: key) else { return false }
      if view.thread == OwnerWord.currentThread {
        if view.isLast || (view.isOver && !byHand) { return false }
        view.isLast = true
      }
      state.views[key] = view
      return true
    }
    if isLeft, schedule != nil { ask() }
  }

  /// Invalidates the views, for the last time those that have been here long enough.
  func lookAgain() {
    let views = state.withLock { state in
      let all = Array(state.views.values)
      let first = ContinuousClock.now - .seconds(1)
      state.views = state.views.filter { $0.value.time > first }
      return all
    }
    for view in views { view.scope?.invalidate() }
  }

  private func ask() {
    let pause = state.withLock { state -> Int? in
      if state.pause != nil { return nil }
      state.pause = 1
      return 1
    }
    if let pause { ask(in: pause) }
  }

  private func ask(in pause: Int) {
    schedule?(pause) { [weak self] in
      guard let self else { return }
      lookAgain()
      let next = state.withLock { state in
        state.pause = state.views.isEmpty ? nil : min(pause * 2, 512)
        return state.pause
      }
      if let next { ask(in: next) }
    }
  }
}
