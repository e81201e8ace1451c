import CStreams
import StreamsShims

/// The context variables of a host as they were where a stream was subscribed to. What the stream does later, on a
/// scheduler, runs with them.
///
/// Those of a sink belong to the owner of its functions, and are not kept alive here: an object in a variable may
/// own the sink. What a function changes stays, for this one operator of this one stream.
final class HostContext: ForeignContext, @unchecked Sendable {
  let host: Host
  private let context: UnsafeMutableRawPointer
  private let isWeak: Bool

  /// Takes over a reference to a context, or to a weak reference to it. With the lock held.
  fileprivate init(_ host: Host, _ context: UnsafeMutableRawPointer, isWeak: Bool) {
    (self.host, self.context, self.isWeak) = (host, context, isWeak)
  }

  deinit { host.enterAndRelease(context) }

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
  override func run(_ action: () -> Void) {
    let outer = streams_context()
    defer { streams_set_context(outer) }
    if host.isEntered {
      streams_set_context(nil)
      let entered = entered()
      action()
      if let entered { host.leave(entered) }
    } else {
      streams_set_context(Unmanaged.passUnretained(self).toOpaque())
      action()
    }
  }

  /// Enters the context, unless it has gone. With the lock held.
  fileprivate func entered() -> EnteredContext? {
    if isWeak {
      guard let context = host.target(of: context) else { return nil }
      return host.enter(context)
    }
    host.retain(context)
    return host.enter(context)
  }
}

/// The context in which a host's code runs: a reference to it, and what was to be entered.
struct EnteredContext {
  fileprivate let object: UnsafeMutableRawPointer
  fileprivate var pending: UnsafeMutableRawPointer?
}

extension Host {
  /// Enters the context that this thread is to run the host's code in. With the lock held.
  @inline(never)
  func enterContext() -> EnteredContext? {
    guard let pending = streams_context() else { return nil }
    let context = Unmanaged<HostContext>.fromOpaque(pending).takeUnretainedValue()
    guard context.host === self, var entered = context.entered() else { return nil }
    streams_set_context(nil)
    entered.pending = pending
    return entered
  }

  /// Has the thread see again what it saw before. With the lock held.
  @inline(never)
  func leave(_ context: EnteredContext) {
    if table.exit_context(context.object) != 0 { report(nil) }
    release(context.object)
    if let pending = context.pending { streams_set_context(pending) }
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

  /// Enters a context, or a copy of one that somebody is in already. Takes over a reference to it.
  fileprivate func enter(_ context: UnsafeMutableRawPointer) -> EnteredContext? {
    if table.enter_context(context) == 0 { return EnteredContext(object: context) }
    _ = takePendingError()
    defer { release(context) }
    guard let copy = table.copy_context(context) else {
      report(nil)
      return nil
    }
    if table.enter_context(copy) == 0 { return EnteredContext(object: copy) }
    report(nil)
    release(copy)
    return nil
  }
}
