import CStreams
import Streams
import StreamsCallbacks
import StreamsShims
import Synchronization

/// A run of stateless steps as one operator, with the demand, failure and order of the separate ones.
struct Stage: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher
  /// ``Steps`` or ``ForeignSteps``.
  let steps: AnyObject

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    if let steps = steps as? Steps {
      upstream.subscribe(StageInner(downstream: Downstream(subscriber), steps: steps))
    } else {
      unsafeDowncast(steps, to: ForeignSteps.self).attach(Downstream(subscriber), to: upstream)
    }
  }
}

/// Steps that are all functions of one runtime.
class ForeignSteps {
  /// Puts the steps between a downstream and an upstream.
  func attach(_ downstream: Downstream<Value, StreamError>, to upstream: ValuePublisher) {}
}

/// The two ends of a stage, whatever its steps are.
class StageEnds: Subscription, Inner {
  static var name: String { "Subscription" }

  let downstream: Downstream<Value, StreamError>
  private let upstream = SubscriptionSlot()
  /// True once the downstream must receive nothing more.
  let isEnded = Atomic(false)

  init(downstream: Downstream<Value, StreamError>) { self.downstream = downstream }

  /// Whether the results of a batch are delivered together, because the downstream takes them as a whole. Otherwise each result
  /// is delivered before the next value is mapped.
  final var gathers: Bool { downstream.subscriber._pieceDelivery() != nil }

  /// The byte by which C functions find whether it has ended.
  @inline(__always)
  final var endMark: UnsafePointer<UInt8> {
    withUnsafePointer(to: isEnded) { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
  }

  /// The description of the upstream's subscription, which Combine's `map` and `filter` pass on.
  final var description: String { upstream.current.map { "\($0)" } ?? Self.name }

  func receive(subscription: any Subscription) {
    guard !streams_stack_is_low() else {
      subscription.cancel()
      return refuse()
    }
    if upstream.accept(subscription) { Trampoline.through { downstream.receive(subscription: self) } }
  }

  /// Fails instead of sending a subscription, for which there is no stack or no scheduler.
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

  /// Cancels the upstream, and sends the failure to the downstream, which has received no end.
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

  /// The demand for a batch whose remaining values are not delivered, perhaps because the stream has
  /// ended meanwhile.
  @inline(__always)
  final func unlessEnded(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    _fastPath(!isEnded.load(ordering: .relaxed)) ? demand : .refused()
  }

  final func cancel() {
    isEnded.store(true, ordering: .releasing)
    let ended = upstream.end()
    Trampoline.run(ended) { $0?.cancel() }
  }

  deinit {
    // Either may own the next part of a long chain. Where there is stack for it, they are released directly.
    guard !Trampoline.hasOne || streams_stack_is_low() else { return }
    let neighbors = (downstream, upstream.end())
    Trampoline.run(neighbors) { withExtendedLifetime($0) {} }
  }
}

private final class StageInner: StageEnds, Subscriber, PageSubscriber {
  private let steps: Steps

  init(downstream: Downstream<Value, StreamError>, steps: Steps) {
    self.steps = steps
    super.init(downstream: downstream)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, !isEnded.load(ordering: .relaxed) else { return .refused() }
    if batch.isSingle && streams_pending_error() == 0 { return receiveOne(base) }
    return batch.isSingle || gathers ? receiveMany(batch) : receive(inStep: batch)
  }

  /// Delivers each result before the next value is mapped, as single values are.
  func receive(page: UnsafeRawBufferPointer) -> (count: Int, demand: Subscribers.Demand) {
    let page = page.bindMemory(to: Value.self)
    var passing = Passing(stage: .passUnretained(self))
    var index = 0
    withUnsafeTemporaryAllocation(of: streams_pass_room.self, capacity: 1) { room in
      let room = room.baseAddress.unsafelyUnwrapped
      while index < page.count, !isEnded.load(ordering: .relaxed) {
        let values = page.baseAddress.unsafelyUnwrapped
        let (passed, isStopped) = steps.runEach(
          (values + index).asC, page.count - index, until: endMark, room, Passing.deliver, &passing)
        index += passed
        if isStopped {
          passing.note(receive(values + index, finishing: room))
        } else if index < page.count, !isEnded.load(ordering: .relaxed) {
          passing.note(receive(contentsOf: page.single(index)))
        } else {
          break
        }
        index += 1
      }
    }
    // All others have been dropped, and use no demand.
    return (index, passing.demand + .max(index - passing.count))
  }

  /// What values that have passed all steps are delivered for.
  private struct Passing {
    /// Not retained, and its downstream not copied, for each value.
    let stage: Unmanaged<StageInner>
    /// For how many values demand has been returned, and the sum of that.
    var count = 0
    var demand = Subscribers.Demand.none

    mutating func note(_ more: Subscribers.Demand) {
      count += 1
      demand += more
    }

    static let deliver: streams_deliver_passed = { context, value in
      let passing = context.unsafelyUnwrapped.assumingMemoryBound(to: Passing.self)
      let value = value.unsafelyUnwrapped.assumingMemoryBound(to: Value.self)
      let batch = UnsafeBufferPointer(start: value, count: 1)
      passing.pointee.note(
        passing.pointee.stage._withUnsafeGuaranteedRef { $0.downstream.receive(contentsOf: batch) })
    }
  }

  @inline(__always)
  private func receiveOne(_ value: UnsafePointer<Value>) -> Subscribers.Demand {
    // The C program is responsible for what its callbacks write: the stack needs no protection.
    _withUnprotectedUnsafeTemporaryAllocation(of: streams_pass_room.self, capacity: 1) { room in
      let room = room.baseAddress.unsafelyUnwrapped
      guard let reached = steps.run(value.asC, until: endMark, room) else { return unlessEnded(.max(1)) }
      if reached == UnsafeRawPointer(room) { return receive(value, finishing: room) }
      return downstream.receive(
        contentsOf: UnsafeBufferPointer(start: reached.assumingMemoryBound(to: Value.self), count: 1))
    }
  }

  /// Delivers a value that needs the slow path.
  @inline(never)
  private func receive(
    _ value: UnsafePointer<Value>, finishing room: UnsafeMutablePointer<streams_pass_room>
  ) -> Subscribers.Demand {
    let (outcome, result) = steps.finish(value.asC, room)
    switch outcome {
    case .made:
      let demand = downstream.receive(
        contentsOf: UnsafeBufferPointer(start: UnsafePointer(result).asValue, count: 1))
      result.destroyOwned()
      return demand
    case .kept:
      return downstream.receive(contentsOf: UnsafeBufferPointer(start: value, count: 1))
    case .dropped:
      return unlessEnded(.max(1))
    case .failed(let error):
      fail(error)
      return .none
    }
  }

  /// Passes each value through all steps, and delivers the results in batches.
  @inline(never)
  private func receiveMany(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    let (base, count) = (batch.baseAddress.unsafelyUnwrapped, batch.count)
    let demand = GatheredPage.with(batch, of: self) { page, _ in
      withUnsafeTemporaryAllocation(of: streams_pass_room.self, capacity: 1) { room in
        var index = 0
        while index < count, !isEnded.load(ordering: .relaxed) {
          let made = page.end
          var taken = 0
          let outcome = steps.run(
            (base + index).asC, min(count - index, page.room), page.gathering, until: endMark,
            room.baseAddress!,
            taken: &taken)
          page.pointee.demand += .max(taken - (page.end - made))
          index += taken
          if let outcome {
            gather(outcome, of: base + index, into: page)
            index += 1
          }
          if page.room == 0 { page.turn() }
        }
      }
    }
    return unlessEnded(demand)
  }

  /// Adds the outcome of a value that needed the slow path.
  private func gather(
    _ outcome: Steps.Outcome, of value: UnsafePointer<Value>, into page: UnsafeMutablePointer<GatheredPage>
  ) {
    switch outcome {
    case .made:
      page.add()
    case .kept:
      page.end.store(value.pointee)
      page.add()
    case .dropped:
      page.pointee.demand += .max(1)
    case .failed(let error):
      page.turn()
      fail(error)
    }
  }
}
