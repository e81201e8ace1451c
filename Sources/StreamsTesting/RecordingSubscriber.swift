import Glibc
import Streams
import Synchronization

/// A subscriber that writes down every event it receives and requests what it is told to.
///
///     let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
///     [1, 2, 3].publisher.subscribe(recorder)
///     recorder.values  // [1, 2]
///
/// Its signals are serial, as for every subscriber; reading it while another thread delivers is a race.
/// Signals that overlap, and values beyond what was requested through the recorder, are counted.
public final class RecordingSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  /// Something that happened to the subscriber.
  public enum Event {
    /// The subscription, by its description.
    case subscription(String)
    /// A value.
    case value(Input)
    /// A completion.
    case completion(Subscribers.Completion<Failure>)
  }

  /// What happened so far, in order.
  public private(set) var events: [Event] = []
  /// When each event happened, in the same order; without a scheduler, always the beginning of time.
  public private(set) var times: [VirtualTime] = []
  /// The subscriptions received; a correct publisher sends one.
  public private(set) var subscriptions: [any Subscription] = []
  /// How many values arrived in each call. A publisher without batches sends ones.
  public private(set) var batchSizes: [Int] = []
  /// How many values arrived beyond the demand.
  public private(set) var overdrawn = 0

  private let initialDemand: Subscribers.Demand
  private let clock: VirtualTimeScheduler?
  /// When the recorder was made.
  let beginning: VirtualTime
  /// Called with each value; what it returns is the additional demand.
  public var onValue: (Input) -> Subscribers.Demand
  /// Called when a subscription arrives, before the initial demand is requested.
  public var onSubscription: (any Subscription) -> Void = { _ in }
  /// Called when the completion arrives.
  public var onCompletion: (Subscribers.Completion<Failure>) -> Void = { _ in }

  // Relaxed atomics: the instruments must not order what the publisher should have ordered.
  private let demandLeft = Atomic<Int>(0)
  private let thread = Atomic<UInt>(0)
  private let overlapCounter = Atomic<Int>(0)
  private let hasCancelled = Atomic(false)

  /// Makes a subscriber that requests `initialDemand` when it is subscribed, nothing if that is `.none`, and
  /// that writes down when things happen if it is given a scheduler.
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

  /// Writes the subscription down and requests the initial demand from the first one.
  public func receive(subscription: any Subscription) {
    exclusively {
      note(.subscription(String(describing: subscription)))
      subscriptions.append(subscription)
      onSubscription(subscription)
      if initialDemand != .none { request(initialDemand, from: subscription) }
    }
  }

  /// Writes the value down. Returns what `onValue` returns, or no demand.
  public func receive(_ input: Input) -> Subscribers.Demand {
    exclusively {
      batchSizes.append(1)
      return record(input)
    }
  }

  /// Writes the values down, and how many came at once. Returns the sum of what `onValue` returns.
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

  /// Writes the completion down.
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

  /// How often a signal began while another thread was still in one. A correct publisher never does that.
  public var overlapCount: Int { overlapCounter.load(ordering: .relaxed) }

  // MARK: What to do

  /// Requests more values from the first subscription.
  ///
  /// Does nothing before there is one.
  public func request(_ demand: Subscribers.Demand) {
    if let first = subscriptions.first { request(demand, from: first) }
  }

  /// Cancels the first subscription. What is left of a batch under way is not recorded.
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
    // A quarter of the range for unlimited: sums of several of them cannot overflow in a test.
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
