import CStreams
import Streams

/// How hosts take part in the C layer.
final class HostRuntime: ForeignRuntime {
  override func callbacks(of subscriber: streams_subscriber) -> SubscriberCallbacks? {
    HostReceiver.receiver(of: subscriber).map { HostCallbacks(subscriber, $0) }
  }

  override func subscribing(_ subscriber: streams_subscriber, _ body: () -> Void) {
    HostReceiver.attaching(subscriber, body)
  }

  override func steps(upTo last: Step) -> ForeignSteps? { HostSteps.of(last) }

  override func interruption() -> StreamError? { Host.interruption() }

  override func context() -> ForeignContext? { HostContext.current() }
}
