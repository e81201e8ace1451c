import CStreams
import Glibc
import Streams
import StreamsShims
import Synchronization

/// A managed runtime and its table of functions. Hosts live as long as the process.
final class Host: @unchecked Sendable {
  let table: streams_host
  let id: UInt32
  let name: String
  private let isRetired = Atomic(false)
  /// How many threads hold the lock, or are about to take it.
  private let inside = Atomic(0)
  let spareBoxes = SpareBoxes()
  /// Raises an error for a status, in methods that the host calls. Guarded by the host's lock.
  var raise: Callable?
  /// The offset of the handle in the host's subjects. Guarded by the host's lock.
  var handleOffset = 0
  let signalPoll = SignalPoll()
  let line: UnsafeMutablePointer<streams_host_line>
  /// Whether the library counts references to the host's objects itself.
  let counts: Bool
  /// Stored, because getting a type is a call.
  let boxType = ObjectIdentifier(HostObject.self)

  private init(_ table: streams_host, id: UInt32, name: String) {
    self.table = table
    self.id = id
    self.name = name
    line = streams_host_line.make(of: table, id: id)
    counts = table.counts && !streams_is_uncounted()
    line.pointee.runtime = Unmanaged.passUnretained(self).toOpaque()
  }

  // MARK: Registry

  nonisolated(unsafe) private static let hosts = Lock<[Host]>([])

  static func register(_ table: streams_host, name: String) -> Host? {
    hosts.withLock { hosts in
      guard hosts.count < STREAMS_HOSTS else { return nil }
      let host = Host(table, id: UInt32(hosts.count + 1), name: name)
      hosts.append(host)
      let reference = UInt(bitPattern: Unmanaged.passRetained(host).toOpaque())
      if hosts.count == 1 {
        suspendWhileWaiting()
        streams_set_own_thread_ends { Host.find(streams_kept_host())?.takeUnretainedValue().letThreadGo() }
      }
      places[hosts.count - 1].store(reference, ordering: .releasing)
      return host
    }
  }

  /// The hosts' addresses, filled from the first on and never changed.
  @inline(__always)
  private static var places: UnsafeMutablePointer<Atomic<UInt>> {
    UnsafeMutableRawPointer(streams_hosts()!).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// The host with a number. Hosts are never released, so no reference is needed.
  @inline(__always)
  static func find(_ id: UInt32) -> Unmanaged<Host>? {
    guard id >= 1, id <= UInt32(STREAMS_HOSTS) else { return nil }
    let host = UnsafeRawPointer(bitPattern: places[Int(id) - 1].load(ordering: .acquiring))
    return host.map { .fromOpaque($0) }
  }

  // MARK: The lock

  var retired: Bool { isRetired.load(ordering: .acquiring) }

  /// Ends all calls of the host. When this returns, no other thread is about to take its lock, unless
  /// waiting for that would take too long: a runtime that has ended has no lock to take.
  func retire() {
    isRetired.store(true, ordering: .sequentiallyConsistent)
    guard streams_hosts_inside() == 0 else { return }
    let limit = streams_clock_now() + 500_000_000
    while inside.load(ordering: .sequentiallyConsistent) > 0, streams_clock_now() < limit { usleep(100) }
  }

  /// Whether this thread has taken the host's lock and still holds it.
  ///
  /// A C callback may release the lock and call the library without it, as ctypes does: so the mark alone does not prove it.
  @inline(__always)
  var isEntered: Bool {
    guard streams_entered_host() == id, let holds = table.holds else { return false }
    if let current = table.current, let thread = streams_host_thread() { return current() == thread }
    return holds() != 0
  }

  /// Notes that the thread holds the lock. Returns what `unmark` must be given.
  @inline(__always)
  func mark() -> (host: UInt32, thread: UnsafeMutableRawPointer?) {
    let outer = (streams_entered_host(), streams_host_thread())
    streams_set_entered_host(id)
    if let current = table.current { streams_set_host_thread(current()) }
    return outer
  }

  @inline(__always)
  func unmark(_ outer: (host: UInt32, thread: UnsafeMutableRawPointer?)) {
    streams_set_entered_host(outer.host)
    streams_set_host_thread(outer.thread)
  }

  /// Makes threads release the lock while they wait for their turn to deliver.
  private static func suspendWhileWaiting() {
    streams_set_waiting(
      {
        guard let host = Host.find(streams_entered_host())?.takeUnretainedValue(), host.isEntered else {
          return nil
        }
        return host.table.suspend?()
      },
      { state in
        guard let state else { return }
        Host.find(streams_entered_host())?.takeUnretainedValue().table.resume(state)
      })
  }

  /// Runs `body` with the host's lock held. Returns nil, and runs nothing, if the host is retired.
  @inline(__always)
  func entered<Result>(_ body: () -> Result) -> Result? {
    if isEntered { return body() }
    inside.add(1, ordering: .sequentiallyConsistent)
    streams_set_hosts_inside(streams_hosts_inside() + 1)
    defer {
      streams_set_hosts_inside(streams_hosts_inside() - 1)
      inside.subtract(1, ordering: .releasing)
    }
    guard !retired else { return nil }
    let begins = streams_is_own_thread() && keepThread()
    let token = table.enter()
    // The host may have been retired while this thread waited for the lock.
    guard !retired else {
      table.leave(token)
      return nil
    }
    let outer = mark()
    if begins { reportThreadBegins() }
    let context = streams_context() == nil ? nil : enterContext()
    let result = body()
    if let context { leave(context) }
    unmark(outer)
    table.leave(token)
    return result
  }

  /// Makes the runtime's record of a library thread once, rather than each time it takes the lock. Does nothing if the thread
  /// holds the lock already, because then the runtime knows it. Returns whether the record was made.
  private func keepThread() -> Bool {
    guard streams_kept_host() == 0, table.holds?() ?? 0 == 0, let newThread = table.new_thread,
      streams_make_for_thread(newThread, table.runtime) != nil
    else { return false }
    streams_set_kept_host(id)
    return true
  }

  private func reportThreadBegins() {
    guard let begins = table.thread_begins else { return }
    let result = calling { withUnsafePointer(to: table.null_object) { table.call(begins, $0, 1, nil) } }
    if let result { table.release(result) } else { table.report_error(begins) }
  }

  private func letThreadGo() {
    _ = entered {
      let token = table.enter()
      table.leave(token)
      table.leave(token)
    }
    streams_set_kept_host(0)
  }

  /// Runs the host's code, which may call into the library again with or without the lock.
  @inline(__always)
  func calling<Result>(_ body: () -> Result) -> Result {
    let outer = streams_entered_host()
    streams_set_entered_host(0)
    let result = body()
    streams_set_entered_host(outer)
    return result
  }

  // MARK: Calls, with the lock held

  @inline(__always)
  func call(
    _ function: UnsafeMutableRawPointer, _ argument: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    guard attend() else { return nil }
    guard let callOne = table.call_one else { return callWithArray(function, argument) }
    return calling { callOne(function, argument) }
  }

  /// For hosts that have no function to call with one argument.
  private func callWithArray(
    _ function: UnsafeMutableRawPointer, _ argument: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    withUnsafePointer(to: Optional(argument)) { argument in calling { table.call(function, argument, 1, nil) }
    }
  }

  func call(
    _ function: UnsafeMutableRawPointer, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 2) { arguments in
      arguments.initializeElement(at: 0, to: first)
      arguments.initializeElement(at: 1, to: second)
      return call(function, UnsafeBufferPointer(arguments))
    }
  }

  @inline(__always)
  func call(
    _ function: UnsafeMutableRawPointer, _ arguments: UnsafeBufferPointer<UnsafeMutableRawPointer?>
  ) -> UnsafeMutableRawPointer? {
    guard attend() else { return nil }
    return calling { table.call(function, arguments.baseAddress, arguments.count, nil) }
  }

  /// The next item of an iterator, as a new reference; nil at the end, or with an error pending.
  @inline(__always)
  func next(_ iterator: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    guard attend() else { return nil }
    return calling { table.next(iterator) }
  }

  @inline(__always)
  func retain(_ object: UnsafeMutableRawPointer) {
    if counts { streams_retain_object(object) } else { table.retain(object) }
  }

  /// The object of a weak reference, as a new reference; nil if it is gone. Must be called with the lock held.
  func target(of weak: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    guard let target = table.target?(weak), !isNull(target) else { return nil }
    retain(target)
    return target
  }

  /// Releases a reference; the last one may run the host's code.
  @inline(__always)
  func release(_ object: UnsafeMutableRawPointer) {
    if counts, streams_drop_reference(object) { return }
    calling { table.release(object) }
  }

  /// Releases a reference on any thread. A retired host's objects are abandoned.
  func enterAndRelease(_ object: UnsafeMutableRawPointer) {
    UserCallback.releasing { _ = entered { release(object) } }
  }

  /// A handle as an integer of the host; nil, with an error pending, if the host cannot make one.
  func number(of handle: OpaquePointer?) -> UnsafeMutableRawPointer? {
    table.from_int64(Int64(Int(bitPattern: handle)))
  }

  @inline(__always)
  func isNull(_ object: UnsafeMutableRawPointer) -> Bool { object == table.null_object }
}
