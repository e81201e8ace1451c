import CStreams
import Streams

/// The hosts' part in the C layer.
final class HostRuntime: ForeignRuntime {
  override func callbacks(of subscriber: streams_subscriber) -> SubscriberCallbacks? {
    HostReceiver.receiver(of: subscriber).map { HostCallbacks(subscriber, $0) }
  }

  override func subscribing(_ subscriber: SubscriberCallbacks, _ body: () -> Void) {
    func attach() { HostReceiver.attaching(subscriber.callbacks, body) }
    // Values may arrive immediately.
    if !subscriber.callingOften(attach) { attach() }
  }

  override func steps(upTo last: Step) -> ForeignSteps? { HostSteps.of(last) }

  override func interruption() -> StreamError? { Host.interruption() }

  override func context() -> ForeignContext? { HostContext.current() }
}
