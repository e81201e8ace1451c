@_spi(SwiftUI) import Observation
import Streams
import Synchronization

/// Follows what some code reads of observable objects, from one run of the code to the next.
///
/// The public `withObservationTracking` reports one change, before it is made: code that looks in between finds the old value. And
/// what it registers stays with the object until that change, however often the code runs. This reports each change when it has
/// been made, and takes back the registrations of the run before. They hold until those of the next run are in place, so that a
/// change in between is not missed; only a property that is read for the first time may be set unnoticed, by another thread,
/// between its reading and the end of the run.
package final class ObservableReads: @unchecked Sendable {
  /// Whether any run of some code, or of its like, has read an observable object.
  package final class Use: Sendable {
    fileprivate let isKnown: Atomic<Bool>

    package init(isKnown: Bool = false) { self.isKnown = Atomic(isKnown) }
  }

  private let use: Use
  private let changed: @Sendable () -> Void
  private let probe = Probe()
  private var registration: Registration?

  /// `changed` is called after each change, on the thread that makes it.
  package init(_ use: Use = Use(isKnown: true), changed: @escaping @Sendable () -> Void) {
    (self.use, self.changed) = (use, changed)
  }

  deinit { registration?.end() }

  /// Runs the code. It runs on one thread at a time.
  package func track<Result>(_ body: () -> Result) -> Result {
    let hasProbe = use.isKnown.load(ordering: .relaxed)
    var next = Registration(hasProbe ? probe : nil, changed)
    let result = withObservationTracking(
      { [probe] in
        if hasProbe { probe.read() }
        return body()
      }, didSet: next.observer)
    forget()
    // Nobody else keeps it if nothing was read.
    if isKnownUniquelyReferenced(&next) { return result }
    registration = next
    if !hasProbe { use.isKnown.store(true, ordering: .relaxed) }
    return result
  }

  /// Takes back the registrations.
  package func forget() {
    registration?.end()
    registration = nil
  }
}

/// The only way to what takes registrations back is a change. So there is an object of ours among those that are read, and if
/// none of the others has changed, it pretends to.
private final class Probe: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  /// The thread that pretends a change, or 0.
  private let changer = Atomic<UInt32>(0)
  private var mark: Void { () }

  /// Whether this thread pretends a change.
  var isChanging: Bool { changer.load(ordering: .relaxed) == OwnerWord.currentThread }

  func read() { registrar.access(self, keyPath: \.mark) }

  func change() {
    changer.store(OwnerWord.currentThread, ordering: .relaxed)
    registrar.didSet(self, keyPath: \.mark)
    changer.store(0, ordering: .relaxed)
  }
}

/// The registrations of one run.
private final class Registration: @unchecked Sendable {
  private struct State {
    var tracking: ObservationTracking?
    var isOver = false
  }

  private let state = Lock(State())
  /// The one that the run has read.
  private let probe: Probe?
  private let changed: @Sendable () -> Void

  init(_ probe: Probe?, _ changed: @escaping @Sendable () -> Void) {
    (self.probe, self.changed) = (probe, changed)
  }

  var observer: @Sendable (ObservationTracking) -> Void {
    { [self] tracking in
      let isOver = state.withLock { state in
        if !state.isOver { state.tracking = tracking }
        return state.isOver
      }
      if isOver { return tracking.cancel() }
      if probe?.isChanging != true { changed() }
    }
  }

  /// Without a probe, those of which nothing is known yet are taken back by the next change.
  func end() {
    if let probe, state.withLock({ $0.tracking == nil }) { probe.change() }
    let tracking = state.withLock { state in
      state.isOver = true
      return state.tracking.take()
    }
    tracking?.cancel()
  }
}
