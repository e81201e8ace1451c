/// The thread that is in a handshake: it delivers a subscription, or subscribes to a publisher.
///
/// For sources that serve a request on the requesting thread: until the subscription has been delivered, they serve
/// only the requests of the thread in the handshake.
struct HandshakeThread {
  private var thread: UInt32?

  /// Begins a handshake on the calling thread.
  init() { thread = OwnerWord.currentThread }

  private init(_ thread: UInt32?) { self.thread = thread }

  /// No thread is in the handshake.
  static var none: HandshakeThread { HandshakeThread(nil) }

  var isNone: Bool { thread == nil }

  /// Whether the calling thread is in the handshake, further up the stack.
  var isHere: Bool { thread == OwnerWord.currentThread }

  /// Whether a thread other than the calling one is in the handshake.
  var isElsewhere: Bool { !isNone && !isHere }

  mutating func end() { thread = nil }
}
