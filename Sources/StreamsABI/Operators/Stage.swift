import CStreams
import Streams
import Synchronization

/// A run of stateless steps as one operator, with the demand, failure and order of the separate ones.
struct Stage: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher
  let steps: [Step]

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    upstream.subscribe(StageInner(downstream: Downstream(subscriber), steps: Steps(steps)))
  }
}

private final class StageInner: Subscriber, Subscription, Inner {
  static var name: String { "Stage" }

  private let downstream: Downstream<Value, StreamError>
  private let steps: Steps
  private let upstream = SubscriptionSlot()
  /// True once downstream must hear nothing more.
  private let isEnded = Atomic(false)

  init(downstream: Downstream<Value, StreamError>, steps: Steps) {
    self.downstream = downstream
    self.steps = steps
  }

  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, !isEnded.load(ordering: .relaxed) else { return .none }
    return batch.count == 1 ? receiveOne(base) : receiveMany(base, batch.count)
  }

  @inline(__always)
  private func receiveOne(_ value: UnsafePointer<Value>) -> Subscribers.Demand {
    var storage = streams_value()
    return withUnsafeMutablePointer(to: &storage) { result in
      let outcome = steps.run(value.asC, result)
      if outcome.count == 1 {
        let more = deliver(result, 1)
        result.destroyOwned()
        return more
      }
      if let failure = outcome.failure {
        fail(failure)
        return .none
      }
      return .max(1)
    }
  }

  private func receiveMany(_ base: UnsafePointer<Value>, _ count: Int) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    var start = 0
    withUnsafeTemporaryAllocation(of: streams_value.self, capacity: batchCapacity * 2) { buffer in
      while start < count, !isEnded.load(ordering: .relaxed) {
        let portion = min(batchCapacity, count - start)
        demand += receivePortion((base + start).asC, portion, buffer.baseAddress!)
        start += portion
      }
    }
    return demand
  }

  private func receivePortion(
    _ values: UnsafePointer<streams_value>, _ count: Int, _ buffer: UnsafeMutablePointer<streams_value>
  ) -> Subscribers.Demand {
    var front = buffer
    var back = buffer + batchCapacity
    let outcome = steps.run(batch: values, count: count, front: &front, back: &back)
    var demand = Subscribers.Demand.none
    if outcome.count > 0 {
      demand = deliver(front, outcome.count)
      for index in 0..<outcome.count { (front + index).destroyOwned() }
    }
    if let failure = outcome.failure {
      fail(failure)
      return .none
    }
    return outcome.count == count ? demand : demand + (count - outcome.count)
  }

  @inline(__always)
  private func deliver(
    _ values: UnsafeMutablePointer<streams_value>, _ count: Int
  ) -> Subscribers.Demand {
    downstream.deliver(UnsafeBufferPointer(start: UnsafePointer(values).asValue, count: count))
  }

  private func fail(_ error: StreamError) {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    upstream.end()?.cancel()
    downstream.receive(completion: .failure(error))
  }

  func receive(completion: Subscribers.Completion<StreamError>) {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = upstream.end()
    downstream.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  func cancel() {
    isEnded.store(true, ordering: .releasing)
    upstream.end()?.cancel()
  }
}
