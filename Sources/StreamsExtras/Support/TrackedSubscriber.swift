import Streams
import StreamsShims

/// Forwards a subscriber's signals, and writes a line for each.
final class TrackedSubscriber<Input, Failure: Error>: Subscriber, Inner {
  static var name: String { "Tracker" }

  private let downstream: Downstream<Input, Failure>
  private let tracking: Tracking
  private let link: TrackedLink
  private let handshake = Handshake()

  init(_ downstream: Downstream<Input, Failure>, _ tracking: Tracking, _ stream: TrackedDrops) {
    self.downstream = downstream
    link = TrackedLink(stream)
    self.tracking = tracking
  }

  func receive(subscription: any Subscription) {
    if link.slot.phase == .awaiting { handshake.begin(TrackedSubscription(link, tracking)) }
    tracking.call(.subscriber, .subscription, of: link.stream) {
      guard link.slot.accept(subscription), let due = handshake.take() else { return }
      downstream.receive(subscription: due)
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let returned = { [words = tracking.words] (demand: Subscribers.Demand) in
      demand == .none ? "" : " demand: \(words.demand(demand))"
    }
    let demand = tracking.call(.subscriber, .value, of: link.stream, "\(input)", result: returned) {
      downstream.receive(input)
    }
    streams_watch_demand(link.stream.record, demand.watched)
    return demand
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    deliver(singly: batch, until: link.slot) { receive($0) }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let event: TrackingWords.Event = if case .finished = completion { .completion } else { .failure }
    tracking.call(.subscriber, event, of: link.stream, tracking.words.completion(completion)) {
      let released = link.slot.end()
      if let due = handshake.take() { downstream.receive(subscription: due) }
      downstream.receive(completion: completion)
      withExtendedLifetime(released) {}
    }
  }

  deinit { tracking.end(.subscriber) }
}

/// Shared by a tracked subscriber and its subscription. Neither keeps the other, so that the release of each can be seen.
private final class TrackedLink {
  let slot = SubscriptionSlot()
  let stream: TrackedDrops

  init(_ stream: TrackedDrops) { self.stream = stream }
}

/// Forwards requests and cancels to a subscription, and writes a line for each. It has that subscription's description.
private final class TrackedSubscription: Subscription, CustomStringConvertible {
  private let link: TrackedLink
  private let tracking: Tracking

  init(_ link: TrackedLink, _ tracking: Tracking) {
    self.link = link
    self.tracking = tracking
  }

  var description: String { link.slot.current.map { "\($0)" } ?? "Tracker" }

  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    tracking.call(
      .subscription, .request, of: link.stream, amount: demand.watched, tracking.words.demand(demand)
    ) {
      link.slot.current?.request(demand)
    }
  }

  func cancel() {
    tracking.call(.subscription, .cancel, of: link.stream) { link.slot.endIfSubscribed()?.cancel() }
  }

  deinit { tracking.end(.subscription) }
}
