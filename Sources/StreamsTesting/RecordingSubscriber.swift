import Glibc
import Streams
import Synchronization

/// A subscriber that records every event it receives and requests the demand that it is given.
///
///     let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
///     [1, 2, 3].publisher.subscribe(recorder)
///     recorder.values  // [1, 2]
///
/// Its signals must be serial, as for every subscriber; reading it while another thread delivers is a race. It counts signals
/// that overlap, and values beyond what was requested through it.
public final class RecordingSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  /// An event that the subscriber received.
  public enum Event {
    /// The subscription, by its description.
    case subscription(String)
    /// A value.
    case value(Input)
    /// A completion.
    case completion(Subscribers.Completion<Failure>)
  }

  /// The events so far, in order.
  public private(set) var events: [Event] = []
  /// The time of each event, in the same order; without a scheduler, always the beginning of time.
  public private(set) var times: [VirtualTime] = []
  /// The subscriptions received; a correct publisher sends one.
  public private(set) var subscriptions: [any Subscription] = []
  /// How many values arrived in each call. A publisher without batches sends one at a time.
  public private(set) var batchSizes: [Int] = []
  /// How many values arrived beyond the demand.
  public private(set) var overdrawn = 0

  private let initialDemand: Subscribers.Demand
  private let clock: VirtualTimeScheduler?
  /// When the recorder was made.
  let beginning: VirtualTime
  /// Called with each value; returns the additional demand.
  public var onValue: (Input) -> Subscribers.Demand
  /// Called when a subscription arrives, before the initial demand is requested.
  public var onSubscription: (any Subscription) -> Void = { _ in }
  /// Called when the completion arrives.
  public var onCompletion: (Subscribers.Completion<Failure>) -> Void = { _ in }

  // Relaxed atomics: the recorder must not add an order that the publisher should have ensured.
  private let demandLeft = Atomic<Int>(0)
  private let thread = Atomic<UInt>(0)
  private let overlapCounter = Atomic<Int>(0)
  private let hasCancelled = Atomic(false)

  /// Makes a subscriber that requests `initialDemand` at its subscription, unless that is `.none`, and that records the times of
  /// events if it is given a scheduler.
  public init(
    initialDemand: Subscribers.Demand = .unlimited,
    scheduler: (any MarbleScheduler)? = nil,
    onValue: @escaping (Input) -> Subscribers.Demand = { _ in .none }
  ) {
    self.initialDemand = initialDemand
    clock = scheduler?.clock
    beginning = scheduler?.clock.now ?? .zero
    self.onValue = onValue
  }

  /// Records the subscription, and requests the initial demand if it is the first.
  public func receive(subscription: any Subscription) {
    exclusively {
      note(.subscription(String(describing: subscription)))
      subscriptions.append(subscription)
      onSubscription(subscription)
      if initialDemand != .none { request(initialDemand, from: subscription) }
    }
  }

  /// Records the value. Returns what `onValue` returns, or no demand.
  public func receive(_ input: Input) -> Subscribers.Demand {
    exclusively {
      batchSizes.append(1)
      return record(input)
    }
  }

  /// Records the values and the size of the batch. Returns the sum of what `onValue` returns.
  public func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    exclusively {
      batchSizes.append(batch.count)
      var demand = Subscribers.Demand.none
      for value in batch {
        demand += record(value)
        if hasCancelled.load(ordering: .relaxed) { break }
      }
      return demand
    }
  }

  /// Records the completion.
  public func receive(completion: Subscribers.Completion<Failure>) {
    exclusively {
      note(.completion(completion))
      onCompletion(completion)
    }
  }

  /// Always `RecordingSubscriber`.
  public var description: String { "RecordingSubscriber" }

  // MARK: What happened

  /// The values received.
  public var values: [Input] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The completions received; a correct publisher sends at most one.
  public var completions: [Subscribers.Completion<Failure>] {
    events.compactMap { if case .completion(let completion) = $0 { completion } else { nil } }
  }

  /// How often a signal began while another thread was still in one; 0 for a correct publisher.
  public var overlapCount: Int { overlapCounter.load(ordering: .relaxed) }

  // MARK: What to do

  /// Requests more values from the first subscription.
  ///
  /// Does nothing before there is one.
  public func request(_ demand: Subscribers.Demand) {
    if let first = subscriptions.first { request(demand, from: first) }
  }

  /// Cancels the first subscription. The rest of a batch that is being received is not recorded.
  public func cancel() {
    hasCancelled.store(true, ordering: .relaxed)
    subscriptions.first?.cancel()
  }

  /// Releases the subscriptions. Nothing can be requested or cancelled any more.
  public func forgetSubscriptions() { subscriptions = [] }

  // MARK: Instruments

  private func request(_ demand: Subscribers.Demand, from subscription: any Subscription) {
    grant(demand)
    subscription.request(demand)
  }

  private func grant(_ demand: Subscribers.Demand) {
    // Unlimited demand counts as a quarter of the range: sums of several cannot overflow in a test.
    demandLeft.wrappingAdd(min(demand.max ?? .max, .max / 4), ordering: .relaxed)
  }

  private func note(_ event: Event) {
    events.append(event)
    times.append(clock?.now ?? .zero)
  }

  private func record(_ input: Input) -> Subscribers.Demand {
    if demandLeft.wrappingSubtract(1, ordering: .relaxed).oldValue <= 0 { overdrawn += 1 }
    note(.value(input))
    let more = onValue(input)
    grant(more)
    return more
  }

  private func exclusively<Result>(_ body: () -> Result) -> Result {
    let current = UInt(pthread_self())
    let outer = thread.exchange(current, ordering: .relaxed)
    if outer != 0 && outer != current { overlapCounter.wrappingAdd(1, ordering: .relaxed) }
    defer { thread.store(outer, ordering: .relaxed) }
    return body()
  }
}

extension RecordingSubscriber.Event: Equatable where Input: Equatable, Failure: Equatable {}

extension RecordingSubscriber.Event: CustomStringConvertible {
  /// `subscription(…)`, `value(…)`, `finished` or `failure(…)`.
  public var description: String {
    switch self {
    case .subscription(let name): "subscription(\(name))"
    case .value(let value): "value(\(value))"
    case .completion(.finished): "finished"
    case .completion(.failure(let error)): "failure(\(error))"
    }
  }
}
