import StreamsShims
import Synchronization

/// A flatMap with one publisher at a time, as its upstream and its downstream see it, that keeps values until their
/// turn.
@usableFromInline
final class ConcatMapInner<Input, Output, Failure: Error>: FlatMapOutput<Output, Failure>, Subscriber,
  Subscription,
  Inner
{
  @usableFromInline static var name: String { "FlatMap" }

  /// Makes a publisher from a value and subscribes a child to it.
  private let attach: (Input, FlatMapOutput<Output, Failure>) -> Void
  private let values = Lock(ConcatMapState<Input>())
  /// The thread of the first request, while the upstream is being subscribed to. Only for the thread that subscribes.
  private let firstRequest = Cell<UInt32?>(nil)
  private let subscribingThread = Atomic<UInt32>(0)
  /// What the operators of the upstream wait for. Only for the thread that subscribes.
  private let upstreamRequest = Cell<PromptRequest?>(nil)

  @usableFromInline
  init(
    downstream: Downstream<Output, Failure>, cancelsUpstream: Bool,
    attach: @escaping (Input, FlatMapOutput<Output, Failure>) -> Void
  ) {
    self.attach = attach
    super.init(downstream: downstream, maxPublishers: .max(1), cancelsUpstream: cancelsUpstream)
  }

  /// Subscribes to the upstream. Its effects are part of the first request: an upstream that goes on with a subject
  /// after a sequence, such as a concatenation, may subscribe to the subject only when it has been subscribed to
  /// itself.
  @usableFromInline
  func subscribing(_ body: () -> Void) {
    subscribingThread.store(Gate.currentThread, ordering: .relaxed)
    let request = PromptRequest.whileSubscribing(body)
    upstreamRequest.value = request
    subscribingThread.store(0, ordering: .relaxed)
    // What the subscribing thread sends next is demanded.
    if let thread = firstRequest.value.take() { request.make { endAsking(on: thread) } }
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    values.withLock { $0.subscribe(toSubject: subscription is SubjectSubscription) }
    guard let thread = beginAsking() else { return }
    if subscribingThread.load(ordering: .relaxed) == thread {
      firstRequest.value = thread
    } else {
      endAsking(on: thread)
    }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    if delivery.isEnded { return .refused() }
    let (step, demand) = values.withLock { values in
      let count = values.waitingCount
      let result = values.receive(
        input, on: Gate.currentThread, requests: streams_source_requests())
      // The stream does not finish before it.
      if values.waitingCount > count { expectedCount.wrappingAdd(1, ordering: .relaxed) }
      return result
    }
    if demand == .unlimited { askForEverything() }
    let requests = streams_source_requests()
    proceed(step)
    let ownRequests = streams_source_requests() &- requests
    if ownRequests > 0 { values.withLock { $0.disregard(ownRequests, on: Gate.currentThread) } }
    return demand == .unlimited ? .none : demand
  }

  // MARK: Requests to the upstream

  @usableFromInline
  override func ask(for places: Subscribers.Demand) { proceed(values.withLock { $0.freePlace() }) }

  @usableFromInline
  override func demandEverything(again: Bool, isPrompt: Bool) {
    let following = values.withLock { $0.demandEverything(on: Gate.currentThread, again: again) }
    if isPrompt, let request = upstreamRequest.value {
      request.make { ask(following) }
    } else {
      ask(following)
    }
  }

  private func proceed(_ step: ConcatMapState<Input>.Step) {
    var step = step
    while case .begin(let value, let isKept) = step {
      if !delivery.refusesValue() { attach(value, self) }
      if isKept { expectOneLess() }
      step = values.withLock { $0.hasBegun() }
    }
    if case .ask = step { ask() }
  }

  /// A publisher has been made of a value that waited; it is counted on its own account.
  private func expectOneLess() {
    delivery.serializer.run { [self] in
      expectedCount.wrappingSubtract(1, ordering: .relaxed)
      finishIfDone()
    }
  }

  private func ask() {
    if let thread = beginAsking() { endAsking(on: thread) }
  }

  private func ask(_ following: ConcatMapState<Input>.Following) {
    switch following {
    case .nothing: break
    case .everything: askForEverything()
    case .more: ask()
    }
  }

  private func askForEverything() {
    upstream.current?.request(.unlimited)
    values.withLock { $0.hasAskedForEverything() }
  }

  /// Requests what is due. Returns the thread that does; nil if nothing was due.
  private func beginAsking() -> UInt32? {
    let (thread, requests) = (Gate.currentThread, streams_source_requests())
    guard let demand = values.withLock({ $0.beginAsking(on: thread, requests: requests) })
    else { return nil }
    if demand == .unlimited { askForEverything() } else { upstream.current?.request(demand) }
    return thread
  }

  /// Decides by the effects of a request whether to request more.
  private func endAsking(on thread: UInt32) {
    let requests = streams_source_requests()
    ask(values.withLock { $0.endAsking(on: thread, requests: requests) })
  }

  // MARK: The end

  @usableFromInline
  override func takeWaiting() -> AnyObject? {
    let kept = values.withLock { $0.end() }
    let waiting = super.takeWaiting()
    return kept.isEmpty ? waiting : (kept, waiting) as AnyObject
  }
}
