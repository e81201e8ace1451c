import Streams
import StreamsShims

/// Results that this thread has made of a batch and not delivered yet.
enum Gathering {
  /// Delivers first what this thread has gathered. Every call from outside starts with it, so that its effects come after that.
  @inline(__always)
  static func deliverFirst() {
    if let gathering = streams_gathered() { deliver(gathering) }
    if _slowPath(BatchProgress.isUnderWay) { UserCallback.releasing { BatchProgress.deliverGathered() } }
  }

  /// The delivery is not part of the call that happens to run it.
  @inline(never)
  private static func deliver(_ gathering: UnsafeMutablePointer<streams_gathering>) {
    UserCallback.releasing { gathering.pointee.deliver(gathering) }
  }
}
