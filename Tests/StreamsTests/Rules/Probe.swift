import Streams
import StreamsTesting

/// The subscriber at the end of an entry's publisher, whatever the types of its values and failures are.
final class Probe {
  /// Called when the subscription arrives, before the first request.
  var onSubscription: (Probe) -> Void = { _ in }
  /// Called with each value, after it was counted; what it returns is the additional demand.
  var onValue: (Probe) -> Subscribers.Demand = { _ in .none }
  var onCompletion: (Probe) -> Void = { _ in }
  /// How many values have arrived.
  private(set) var valueCount = 0
  /// Counts the recorder, as long as anybody keeps it.
  let lifetimes = LifetimeTracker()
  private let demand: Subscribers.Demand
  private let takesBatches: Bool
  private var recorder: (any Recorder)?

  /// Makes a probe that requests `demand` when it is subscribed. One that does not take batches gets their values
  /// one by one, as a subscriber does that was written for Combine, and keeps none.
  init(demand: Subscribers.Demand = .unlimited, takesBatches: Bool = true) {
    self.demand = demand
    self.takesBatches = takesBatches
  }

  func subscribe<P: Publisher>(to publisher: P) {
    if takesBatches {
      publisher.subscribe(recorder(of: P.Output.self, P.Failure.self))
    } else {
      publisher.subscribe(ValueByValue<P.Output, P.Failure>(recorder(of: Text.self, P.Failure.self)))
    }
  }

  private func recorder<Input, Failure: Error>(
    of _: Input.Type, _: Failure.Type
  ) -> RecordingSubscriber<Input, Failure> {
    let token = lifetimes.token()
    let recorder = RecordingSubscriber<Input, Failure>(initialDemand: demand) { [weak self] _ in
      token.keep()
      guard let self else { return .none }
      valueCount += 1
      return onValue(self)
    }
    recorder.onSubscription = { [weak self] _ in self.map { $0.onSubscription($0) } }
    recorder.onCompletion = { [weak self] _ in self.map { $0.onCompletion($0) } }
    self.recorder = recorder
    return recorder
  }

  /// Releases the subscription, as a subscriber should at the end, and of the recorder.
  func forget() {
    recorder?.forgetSubscriptions()
    recorder = nil
  }

  func request(_ demand: Subscribers.Demand) { recorder?.request(demand) }
  func cancel() { recorder?.cancel() }

  /// Everything that arrived, as text.
  var trace: [String] { recorder?.trace ?? [] }
  var values: [String] { trace.filter { $0.hasPrefix("value(") } }
  var completions: [String] { recorder?.ends ?? [] }
  var subscriptionCount: Int { recorder?.subscriptions.count ?? 0 }
  /// How many values arrived that were not demanded.
  var overdrawn: Int { recorder?.overdrawn ?? 0 }
  /// How many signals began while another thread was in one.
  var overlapCount: Int { recorder?.overlapCount ?? 0 }
}

/// A recording subscriber without its types.
private protocol Recorder: AnyObject {
  var trace: [String] { get }
  var ends: [String] { get }
  var subscriptions: [any Subscription] { get }
  var overdrawn: Int { get }
  var overlapCount: Int { get }
  func request(_ demand: Subscribers.Demand)
  func cancel()
  func forgetSubscriptions()
}

/// Passes everything on, batches value by value, and keeps no value.
private final class ValueByValue<Input, Failure: Error>: Subscriber {
  private let recorder: RecordingSubscriber<Text, Failure>

  init(_ recorder: RecordingSubscriber<Text, Failure>) { self.recorder = recorder }

  func receive(subscription: any Subscription) { recorder.receive(subscription: subscription) }
  func receive(_ input: Input) -> Subscribers.Demand { recorder.receive(Text("\(input)")) }
  func receive(completion: Subscribers.Completion<Failure>) { recorder.receive(completion: completion) }
}

/// What a value was.
private struct Text: CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension RecordingSubscriber: Recorder {
  fileprivate var trace: [String] { events.map { "\($0)" } }
  fileprivate var ends: [String] { completions.map { "\(Event.completion($0))" } }
}
