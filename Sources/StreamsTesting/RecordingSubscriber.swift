import Streams

/// A subscriber that writes down every event it receives and requests what it is told to.
///
///     let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
///     [1, 2, 3].publisher.subscribe(recorder)
///     recorder.values  // [1, 2]
///
/// Its signals are serial, as for every subscriber; reading it while another thread delivers is a race.
public final class RecordingSubscriber<Input, Failure: Error>: Subscriber {
  /// Something that happened to the subscriber.
  public enum Event {
    /// The subscription, by its description.
    case subscription(String)
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  /// What happened so far, in order.
  public private(set) var events: [Event] = []
  /// The subscriptions received; a correct publisher sends one.
  public private(set) var subscriptions: [any Subscription] = []

  private let initialDemand: Subscribers.Demand
  /// Called with each value; what it returns is the additional demand.
  public var onValue: (Input) -> Subscribers.Demand
  /// Called when a subscription arrives, before the initial demand is requested.
  public var onSubscription: (any Subscription) -> Void = { _ in }
  /// Called when the completion arrives.
  public var onCompletion: (Subscribers.Completion<Failure>) -> Void = { _ in }

  /// Makes a subscriber that requests `initialDemand` when it is subscribed, nothing if that is `.none`.
  public init(
    initialDemand: Subscribers.Demand = .unlimited,
    onValue: @escaping (Input) -> Subscribers.Demand = { _ in .none }
  ) {
    self.initialDemand = initialDemand
    self.onValue = onValue
  }

  public func receive(subscription: any Subscription) {
    events.append(.subscription(String(describing: subscription)))
    subscriptions.append(subscription)
    onSubscription(subscription)
    if initialDemand != .none { subscription.request(initialDemand) }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    events.append(.value(input))
    return onValue(input)
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
    events.append(.completion(completion))
    onCompletion(completion)
  }

  /// The values received.
  public var values: [Input] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The completions received; a correct publisher sends at most one.
  public var completions: [Subscribers.Completion<Failure>] {
    events.compactMap { if case .completion(let completion) = $0 { completion } else { nil } }
  }

  /// Requests more values from the first subscription.
  public func request(_ demand: Subscribers.Demand) { subscriptions.first?.request(demand) }

  /// Cancels the first subscription.
  public func cancel() { subscriptions.first?.cancel() }
}

extension RecordingSubscriber.Event: Equatable where Input: Equatable, Failure: Equatable {}
