/// The thread that is in a handshake: it gives a subscriber its subscription, or subscribes to a publisher.
///
/// For sources that answer requests on the thread they come from: until the subscription has been given, only what that
/// thread requests itself is answered.
struct HandshakeThread {
  private var thread: UInt32?

  /// The calling thread begins a handshake.
  init() { thread = OwnerWord.currentThread }

  private init(_ thread: UInt32?) { self.thread = thread }

  /// No thread is in the handshake.
  static var none: HandshakeThread { HandshakeThread(nil) }

  var isNone: Bool { thread == nil }

  /// Whether the calling thread is in the handshake, further up the stack.
  var isHere: Bool { thread == OwnerWord.currentThread }

  /// Whether another thread than the calling one is in the handshake.
  var isElsewhere: Bool { !isNone && !isHere }

  mutating func end() { thread = nil }
}
