/// The publishers of objects that have no published property to store theirs.
///
/// An entry is useless once its object is released. Such entries are removed whenever the table has doubled.
final class ObjectPublisherTable: Sendable {
  static let shared = ObjectPublisherTable()

  private struct Entry {
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  /// References to release after the lock: the deinitializer of a publisher or an object may run the user's code.
  /// Loading a weak reference may yield the object's last strong one.
  private struct Released {
    var entries: [Entry] = []
    var objects: [AnyObject] = []
  }

  private struct State: @unchecked Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    var sweepCount = 16
  }

  private nonisolated(unsafe) let state = Lock(State())

  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    var released = Released()
    defer { withExtendedLifetime(released) {} }
    return state.withLock { state in
      let key = ObjectIdentifier(object)
      if let entry = state.entries[key] {
        if entry.object === object { return entry.publisher }
        released.entries.append(entry)
      }
      if state.entries.count >= state.sweepCount { sweep(&state, &released) }
      let publisher = ObservableObjectPublisher()
      state.entries[key] = Entry(object: object, publisher: publisher)
      return publisher
    }
  }

  private func sweep(_ state: inout State, _ released: inout Released) {
    for (key, entry) in state.entries {
      if let object = entry.object {
        released.objects.append(object)
      } else {
        released.entries.append(entry)
        state.entries[key] = nil
      }
    }
    state.sweepCount = max(16, state.entries.count * 2)
  }
}
