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

  /// Makes a publisher of a value and subscribes a child to it.
  private let attach: (Input, FlatMapOutput<Output, Failure>) -> Void
  private let values = Lock(ConcatMapState<Input>())
  /// The first request, while the upstream is being subscribed to. Only for the thread that subscribes.
  private let firstRequest = Cell<Request?>(nil)
  private let subscribingThread = Atomic<UInt32>(0)

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
    body()
    subscribingThread.store(0, ordering: .relaxed)
    if let request = firstRequest.value.take() { end(request) }
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    values.withLock { $0.subscribe(toSubject: subscription is SubjectSubscription) }
    guard let request = begin() else { return }
    if subscribingThread.load(ordering: .relaxed) == request.thread {
      firstRequest.value = request
    } else {
      end(request)
    }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    if delivery.isEnded { return .refused() }
    let (step, asksForEverything) = values.withLock { values in
      let count = values.waitingCount
      let result = values.receive(input, on: Gate.currentThread)
      // The stream does not finish before it.
      if values.waitingCount > count { expectedCount.wrappingAdd(1, ordering: .relaxed) }
      return result
    }
    if asksForEverything { upstream.current?.request(.unlimited) }
    let requests = streams_subject_requests()
    proceed(step)
    let ownRequests = streams_subject_requests() &- requests
    if ownRequests > 0 { values.withLock { $0.disregard(ownRequests, on: Gate.currentThread) } }
    return .none
  }

  // MARK: Requests to the upstream

  @usableFromInline
  override func ask(for places: Subscribers.Demand) { proceed(values.withLock { $0.freePlace() }) }

  @usableFromInline
  override func everythingIsDemanded() {
    delivery.serializer.afterLeaving { [self] in
      if values.withLock({ $0.demandEverything() }) { upstream.current?.request(.unlimited) }
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
    delivery.serializer.perform { [self] in
      expectedCount.wrappingSubtract(1, ordering: .relaxed)
      finishIfDone()
    }
  }

  /// A request to the upstream that may be under way.
  private struct Request {
    let thread = Gate.currentThread
    /// How many requests had reached subjects before.
    let subjectRequests = streams_subject_requests()
  }

  private func ask() {
    if let request = begin() { end(request) }
  }

  /// Requests what is due.
  private func begin() -> Request? {
    let request = Request()
    guard let demand = values.withLock({ $0.beginAsking(on: request.thread) }) else { return nil }
    upstream.current?.request(demand)
    return request
  }

  /// Decides by the effects of a request whether to request unlimited values.
  private func end(_ request: Request) {
    let count = streams_subject_requests() &- request.subjectRequests
    let asksForEverything = values.withLock { $0.endAsking(on: request.thread, subjectRequests: count) }
    if asksForEverything { upstream.current?.request(.unlimited) }
  }

  // MARK: The end

  @usableFromInline
  override func takeWaiting() -> AnyObject? {
    let kept = values.withLock { $0.end() }
    let waiting = super.takeWaiting()
    return kept.isEmpty ? waiting : (kept, waiting) as AnyObject
  }
}
