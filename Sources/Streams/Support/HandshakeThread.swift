/// The thread that is giving a subscriber its subscription, for sources that answer requests on the thread they come
/// from: until it has done so, only what it requests itself is answered.
struct HandshakeThread {
  private var thread: UInt32?

  /// The calling thread is about to give the subscription.
  init() { thread = OwnerWord.currentThread }

  private init(_ thread: UInt32?) { self.thread = thread }

  /// No thread is giving the subscription.
  static var none: HandshakeThread { HandshakeThread(nil) }

  /// Whether another thread than the calling one is giving the subscription.
  var isElsewhere: Bool { thread.map { $0 != OwnerWord.currentThread } ?? false }

  mutating func end() { thread = nil }
}
