import CStreams
import StreamsShims

/// The context variables of a host as they were where a stream was subscribed to. What the stream does later, on a
/// scheduler, runs with them.
///
/// Those of a sink belong to the owner of its functions, and are not kept alive here: an object in a variable may
/// own the sink. What a function changes stays, for this one operator of this one stream.
final class HostContext: @unchecked Sendable {
  let host: Host
  private let context: UnsafeMutableRawPointer
  private let isWeak: Bool

  /// Takes over a reference to a context, or to a weak reference to it. With the lock held.
  fileprivate init(_ host: Host, _ context: UnsafeMutableRawPointer, isWeak: Bool) {
    (self.host, self.context, self.isWeak) = (host, context, isWeak)
  }

  deinit { host.letGo(context) }

  /// That of this thread; nil if no host knows the thread.
  static func current() -> HostContext? {
    if let attached = streams_attached() {
      let receiver = Unmanaged<HostReceiver>.fromOpaque(attached).takeUnretainedValue()
      return receiver.host.entered { receiver.host.context(ownedBy: receiver) } ?? nil
    }
    for id in 1...UInt32(STREAMS_HOSTS) {
      guard let host = Host.find(id)?.takeUnretainedValue() else { return nil }
      guard host.table.known?() != nil, !host.retired else { continue }
      return host.entered { host.context(ownedBy: nil) } ?? nil
    }
    return nil
  }

  /// Runs what a scheduler runs. The host's lock is taken when its code is called, and no earlier.
  func run(_ action: () -> Void) {
    let outer = streams_context()
    defer { streams_set_context(outer) }
    if host.isEntered {
      streams_set_context(nil)
      within(action)
    } else {
      streams_set_context(Unmanaged.passUnretained(self).toOpaque())
      action()
    }
  }

  /// Runs the host's code in the context, unless that has gone. With the lock held.
  fileprivate func within<Result>(_ body: () -> Result) -> Result {
    guard let context = isWeak ? host.target(of: context) : retained() else { return body() }
    defer { host.release(context) }
    guard let entered = host.enter(context) else { return body() }
    defer {
      if host.table.exit_context(entered) != 0 { host.report(nil) }
      host.release(entered)
    }
    return body()
  }

  private func retained() -> UnsafeMutableRawPointer {
    host.retain(context)
    return context
  }
}

extension Host {
  /// Runs the host's code in the context that this thread is to run it in. With the lock held.
  @inline(never)
  func inContext<Result>(_ body: () -> Result) -> Result {
    let pending = streams_context()
    guard let pending else { return body() }
    let context = Unmanaged<HostContext>.fromOpaque(pending).takeUnretainedValue()
    guard context.host === self else { return body() }
    streams_set_context(nil)
    defer { streams_set_context(pending) }
    return context.within(body)
  }

  /// The running context, which the owner of the receiver's functions has from now on; nil if there is none.
  fileprivate func context(ownedBy receiver: HostReceiver?) -> HostContext? {
    guard let context = table.current_context?() else { return nil }
    guard let receiver, receiver.own(context), let weak = table.weak(context, nil) else {
      return HostContext(self, context, isWeak: false)
    }
    release(context)
    return HostContext(self, weak, isWeak: true)
  }

  /// Enters a context, or a copy of one that is entered already. Returns a new reference to what is to be left.
  fileprivate func enter(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    if table.enter_context(context) == 0 {
      retain(context)
      return context
    }
    _ = takePendingError()
    guard let copy = table.copy_context(context) else {
      report(nil)
      return nil
    }
    if table.enter_context(copy) == 0 { return copy }
    report(nil)
    release(copy)
    return nil
  }
}
