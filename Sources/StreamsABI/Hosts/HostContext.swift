import CStreams
import StreamsShims

/// The context variables of a host at the time of a subscription. Code that the stream runs later, on a scheduler, runs with
/// them.
///
/// A sink's context belongs to the owner of its functions, and is not kept alive here: an object in a variable may own the sink.
/// A function's changes stay, for this operator of this stream.
final class HostContext: ForeignContext, @unchecked Sendable {
  let host: Host
  private let context: UnsafeMutableRawPointer
  private let isWeak: Bool

  /// Takes ownership of a reference to a context, or to a weak reference to it. Must be called with the lock held.
  fileprivate init(_ host: Host, _ context: UnsafeMutableRawPointer, isWeak: Bool) {
    (self.host, self.context, self.isWeak) = (host, context, isWeak)
  }

  deinit { host.enterAndRelease(context) }

  /// The context of this thread; nil if no host knows the thread.
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

  /// Runs a scheduler's action. The host's lock is taken only when its code is called.
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

  /// Enters the context, unless it has gone. Must be called with the lock held.
  fileprivate func entered() -> EnteredContext? {
    if isWeak {
      guard let context = host.target(of: context) else { return nil }
      return host.enter(context)
    }
    host.retain(context)
    return host.enter(context)
  }
}

/// The context in which a host's code runs: a reference to it, and the context that was to be entered.
struct EnteredContext {
  fileprivate let object: UnsafeMutableRawPointer
  fileprivate var pending: UnsafeMutableRawPointer?
}

extension Host {
  /// Enters the context in which this thread must run the host's code. Must be called with the lock held.
  @inline(never)
  func enterContext() -> EnteredContext? {
    guard let pending = streams_context() else { return nil }
    let context = Unmanaged<HostContext>.fromOpaque(pending).takeUnretainedValue()
    guard context.host === self, var entered = context.entered() else { return nil }
    streams_set_context(nil)
    entered.pending = pending
    return entered
  }

  /// Restores the thread's earlier context. Must be called with the lock held.
  @inline(never)
  func leave(_ context: EnteredContext) {
    if table.exit_context(context.object) != 0 { report(nil) }
    release(context.object)
    if let pending = context.pending { streams_set_context(pending) }
  }

  /// The running context, which the owner of the receiver's functions now owns; nil if there is none.
  fileprivate func context(ownedBy receiver: HostReceiver?) -> HostContext? {
    guard let context = table.current_context?() else { return nil }
    guard let receiver, receiver.own(context), let weak = table.weak(context, nil) else {
      return HostContext(self, context, isWeak: false)
    }
    release(context)
    return HostContext(self, weak, isWeak: true)
  }

  /// Enters a context, or a copy if it is already entered somewhere. Takes ownership of a reference to it.
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
