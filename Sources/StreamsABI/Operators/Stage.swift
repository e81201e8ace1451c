import CStreams
import Streams
import StreamsShims
import Synchronization

/// A run of stateless steps as one operator, with the demand, failure and order of the separate ones.
struct Stage: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher
  /// `Steps` or `HostSteps`.
  let steps: AnyObject

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    if let steps = steps as? HostSteps {
      upstream.subscribe(HostStageInner(downstream: Downstream(subscriber), steps: steps))
    } else {
      let steps = unsafeDowncast(steps, to: Steps.self)
      upstream.subscribe(StageInner(downstream: Downstream(subscriber), steps: steps))
    }
  }
}

/// The two ends of a stage, whatever its steps are.
class StageEnds: Subscription, Inner {
  static var name: String { "Subscription" }

  let downstream: Downstream<Value, StreamError>
  private let upstream = SubscriptionSlot()
  /// True once downstream must hear nothing more.
  let isEnded = Atomic(false)

  init(downstream: Downstream<Value, StreamError>) { self.downstream = downstream }

  /// What it stands before, whose subscription Combine's `map` and `filter` pass on.
  final var description: String { upstream.current.map { "\($0)" } ?? Self.name }

  func receive(subscription: any Subscription) {
    guard !streams_stack_is_low() else {
      subscription.cancel()
      return refuse()
    }
    if upstream.accept(subscription) { Trampoline.through { downstream.receive(subscription: self) } }
  }

  /// Instead of a subscription, for which there is no stack or no scheduler.
  final func refuse(_ error: StreamError = .tooDeep) {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Trampoline.run((downstream, error)) { downstream, error in
      downstream.receive(subscription: Subscriptions.empty)
      downstream.receive(completion: .failure(error))
    }
  }

  final func fail(_ error: StreamError) {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    end(upstream.end(), error)
  }

  /// Cancels the upstream, and tells the downstream, which has not heard of an end.
  func end(_ ended: (any Subscription & AnyObject)?, _ error: StreamError) {
    Trampoline.run((downstream, ended, error)) { downstream, ended, error in
      ended?.cancel()
      downstream.receive(completion: .failure(error))
    }
  }

  func receive(completion: Subscribers.Completion<StreamError>) {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let ended = upstream.end()
    Trampoline.run((downstream, ended, completion)) { downstream, ended, completion in
      downstream.receive(completion: completion)
      withExtendedLifetime(ended) {}
    }
  }

  func request(_ demand: Subscribers.Demand) {
    Trampoline.run((self, demand)) { stage, demand in stage.upstream.current?.request(demand) }
  }

  final func cancel() {
    isEnded.store(true, ordering: .releasing)
    let ended = upstream.end()
    Trampoline.run(ended) { $0?.cancel() }
  }

  deinit {
    // Either may hold the next of a long chain.
    let neighbours = (downstream, upstream.end())
    Trampoline.run(neighbours) { withExtendedLifetime($0) {} }
  }
}

/// Steps that are functions of a host.
private final class HostStageInner: StageEnds, Subscriber {
  private let steps: HostSteps

  init(downstream: Downstream<Value, StreamError>, steps: HostSteps) {
    self.steps = steps
    super.init(downstream: downstream)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, !isEnded.load(ordering: .relaxed) else { return .none }
    if batch.count > 1 { return steps.entered { receiveMany(batch) } ?? receiveMany(batch) }
    // Not captured as itself, which would count a reference for each value: the caller holds it.
    let stage = Unmanaged.passUnretained(self)
    let result = steps.run(base) { value in
      stage._withUnsafeGuaranteedRef {
        $0.downstream.receive(contentsOf: UnsafeBufferPointer(start: value, count: 1))
      }
    }
    switch result {
    case .success(let demand): return demand
    case .failure(let error):
      fail(error)
      return .none
    }
  }

  private func receiveMany(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: batchCapacity(of: Value.self)) { buffer in
      var gathered = Gathered(base: buffer.baseAddress!)
      for index in 0..<batch.count where !isEnded.load(ordering: .relaxed) {
        let result = steps.run(batch.baseAddress! + index) {
          gathered.append($0.pointee, to: downstream)
          return .none
        }
        switch result {
        case .success(let dropped):
          gathered.demand += dropped
        case .failure(let error):
          gathered.flush(to: downstream)
          fail(error)
          return .none
        }
      }
      gathered.flush(to: downstream)
      return gathered.demand
    }
  }
}

private final class StageInner: StageEnds, Subscriber {
  private let steps: Steps

  init(downstream: Downstream<Value, StreamError>, steps: Steps) {
    self.steps = steps
    super.init(downstream: downstream)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, !isEnded.load(ordering: .relaxed) else { return .none }
    return batch.isSingle && streams_named_error() == 0 ? receiveOne(base) : receiveMany(base, batch.count)
  }

  @inline(__always)
  private func receiveOne(_ value: UnsafePointer<Value>) -> Subscribers.Demand {
    // What callbacks may write to is C's to look after: the stack needs no protection.
    _withUnprotectedUnsafeTemporaryAllocation(of: streams_pass_room.self, capacity: 1) { room in
      let room = room.baseAddress.unsafelyUnwrapped
      guard let reached = steps.run(value.asC, room) else { return .max(1) }
      if reached == UnsafeRawPointer(room) { return receive(value, finishing: room) }
      return downstream.receive(
        contentsOf: UnsafeBufferPointer(start: reached.assumingMemoryBound(to: Value.self), count: 1))
    }
  }

  /// Delivers a value that needs care.
  @inline(never)
  private func receive(
    _ value: UnsafePointer<Value>, finishing room: UnsafeMutablePointer<streams_pass_room>
  ) -> Subscribers.Demand {
    let (outcome, result) = steps.finish(value.asC, room)
    switch outcome {
    case .made:
      let demand = deliver(result, 1)
      result.destroyOwned()
      return demand
    case .kept:
      return downstream.receive(contentsOf: UnsafeBufferPointer(start: value, count: 1))
    case .dropped:
      return .max(1)
    case .failed(let error):
      fail(error)
      return .none
    }
  }

  @inline(__always)
  private func run(
    _ values: UnsafePointer<streams_value>, _ count: Int, _ results: UnsafeMutablePointer<streams_value>,
    _ room: UnsafeMutablePointer<streams_pass_room>, taken: inout Int, made: inout Int
  ) -> Steps.Outcome? {
    withUnsafePointer(to: isEnded) { ended in
      steps.run(
        values, count, results, until: UnsafeRawPointer(ended).assumingMemoryBound(to: UInt8.self), room,
        taken: &taken, made: &made)
    }
  }

  /// Runs value after value through all steps, and delivers the results in batches.
  @inline(never)
  private func receiveMany(_ base: UnsafePointer<Value>, _ count: Int) -> Subscribers.Demand {
    let capacity = batchCapacity(of: streams_value.self)
    return withUnsafeTemporaryAllocation(of: streams_pass_room.self, capacity: 1) { room in
      withUnsafeTemporaryAllocation(of: streams_value.self, capacity: capacity) { buffer in
        let results = buffer.baseAddress!
        results.initialize(repeating: streams_value(), count: min(count, capacity))
        var demand = Subscribers.Demand.none
        var made = 0
        var mayOwn = false
        var index = 0
        while index < count, !isEnded.load(ordering: .relaxed) {
          let portion = min(count - index, capacity - made)
          var taken = 0
          var madeOfThem = 0
          let outcome = run(
            (base + index).asC, portion, results + made, room.baseAddress!, taken: &taken, made: &madeOfThem)
          made += madeOfThem
          index += taken
          demand += .max(taken - madeOfThem)
          if let outcome {
            switch outcome {
            case .made:
              mayOwn = true
              made += 1
            case .kept:
              (results + made).store(base[index])
              mayOwn = true
              made += 1
            case .dropped:
              demand += .max(1)
            case .failed(let error):
              _ = flush(results, made, mayOwn)
              fail(error)
              return .none
            }
            index += 1
          }
          if made == capacity || index == count {
            demand += flush(results, made, mayOwn)
            made = 0
            mayOwn = false
          }
        }
        // After a cancellation from within a step: nobody wants these, but they are to be released.
        return demand + flush(results, made, mayOwn)
      }
    }
  }

  /// Delivers results, and releases what they own, if any of them may own something.
  private func flush(
    _ results: UnsafeMutablePointer<streams_value>, _ count: Int, _ mayOwn: Bool
  ) -> Subscribers.Demand {
    guard count > 0 else { return .none }
    let demand = deliver(results, count)
    if mayOwn { for index in 0..<count { (results + index).destroyOwned() } }
    return demand
  }

  @inline(__always)
  private func deliver(
    _ values: UnsafeMutablePointer<streams_value>, _ count: Int
  ) -> Subscribers.Demand {
    downstream.receive(contentsOf: UnsafeBufferPointer(start: UnsafePointer(values).asValue, count: count))
  }
}
