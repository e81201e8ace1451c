/// The publishers of objects that have no published property to keep theirs.
///
/// An entry is of no use once its object is gone. The table is swept of such entries whenever it has doubled.
final class ObjectPublisherTable: Sendable {
  static let shared = ObjectPublisherTable()

  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private struct State: @unchecked Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    var sweepCount = 16
  }

  private nonisolated(unsafe) let state = Lock(State())

  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    // What is dropped is released after the lock: a publisher's end may run foreign code.
    var dropped: [Entry] = []
    defer { withExtendedLifetime(dropped) {} }
    return state.withLock { state in
      let key = ObjectIdentifier(object)
      if let entry = state.entries[key] {
        if entry.object === object { return entry.publisher }
        dropped.append(entry)
      }
      if state.entries.count >= state.sweepCount { dropped += sweep(&state) }
      let publisher = ObservableObjectPublisher()
      state.entries[key] = Entry(object: object, publisher: publisher)
      return publisher
    }
  }

  private func sweep(_ state: inout State) -> [Entry] {
    let dead = state.entries.filter { $0.value.object == nil }
    for key in dead.keys { state.entries[key] = nil }
    state.sweepCount = max(16, state.entries.count * 2)
    return Array(dead.values)
  }
}
