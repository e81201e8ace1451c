import Foundation
import Streams

/// A subscriber that keeps what it gets, and demands as much as it is told to.
final class Collector<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [Input] = []
  private var end: Subscribers.Completion<Failure>?
  private var subscription: (any Subscription)?
  private let first: Subscribers.Demand
  private let onValue: (Input) -> Subscribers.Demand

  init(
    _ publisher: some Publisher<Input, Failure>, demand: Subscribers.Demand = .unlimited,
    onValue: @escaping (Input) -> Subscribers.Demand = { _ in .none }
  ) {
    first = demand
    self.onValue = onValue
    publisher.subscribe(self)
  }

  var values: [Input] { lock.withLock { kept } }
  var completion: Subscribers.Completion<Failure>? { lock.withLock { end } }
  var failure: Failure? {
    if case .failure(let error) = completion { error } else { nil }
  }

  func request(_ demand: Subscribers.Demand) { lock.withLock { subscription }?.request(demand) }
  func cancel() { lock.withLock { subscription }?.cancel() }

  func receive(subscription: any Subscription) {
    lock.withLock { self.subscription = subscription }
    subscription.request(first)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    lock.withLock { kept.append(input) }
    return onValue(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) { lock.withLock { end = completion } }
}
