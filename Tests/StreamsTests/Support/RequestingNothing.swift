import Streams
import StreamsTesting

extension RecordingSubscriber {
  /// Makes the subscriber request `.none` when it is subscribed, where most publishers trap.
  func requestingNothing() -> Self {
    onSubscription = { $0.request(.none) }
    return self
  }
}
