import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

/// A subscriber and subscription between two operators that passes everything on, itself unseen.
///
/// Subclasses write down what passes, or change it.
class Relay<Input>: Subscriber, Subscription, CustomStringConvertible, Unseen {
  typealias Failure = Fault

  let downstream: AnySubscriber<Input, Fault>
  var upstream: (any Subscription)?

  init(_ downstream: AnySubscriber<Input, Fault>) { self.downstream = downstream }

  var description: String { (upstream as? any CustomStringConvertible)?.description ?? "-" }

  func receive(subscription: any Subscription) {
    upstream = subscription
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }
  func receive(completion: Subscribers.Completion<Fault>) { downstream.receive(completion: completion) }
  func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }
  func cancel() { upstream?.cancel() }
}

/// A subscription that stands for another.
protocol Unseen {
  var upstream: (any Subscription)? { get }
}

/// Puts a relay behind a publisher.
struct Relayed<Value>: Publisher {
  typealias Output = Value
  typealias Failure = Fault

  let upstream: AnyPublisher<Value, Fault>
  let make: (AnySubscriber<Value, Fault>) -> Relay<Value>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Fault {
    upstream.subscribe(make(AnySubscriber(subscriber)))
  }
}

// MARK: - Taps

/// Writes down what passes, with the name of the operator above it.
final class Tap<Input>: Relay<Input> {
  private let name: String
  private let trace: Trace
  private var isOver = false

  init(_ downstream: AnySubscriber<Input, Fault>, name: String, trace: Trace) {
    self.name = name
    self.trace = trace
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    trace.add("        \(name) sends its subscription")
    super.receive(subscription: subscription)
  }

  override func receive(_ input: Input) -> Subscribers.Demand {
    trace.add("        \(name) sends \(input)")
    let demand = super.receive(input)
    trace.add("        \(name) is returned \(say(demand))")
    return demand
  }

  override func receive(completion: Subscribers.Completion<Fault>) {
    trace.add("        \(name) sends \(say(completion))")
    isOver = true
    super.receive(completion: completion)
  }

  override func request(_ demand: Subscribers.Demand) {
    // What is asked of an upstream that is over means nothing, and some operators do not care to ask.
    if !isOver { trace.add("        \(name) is asked for \(say(demand))") }
    super.request(demand)
  }

  override func cancel() {
    trace.add("        \(name) is cancelled")
    super.cancel()
  }
}

// MARK: - Where OpenCombine is known to differ

/// Below `prefix` and `output`: finishes with the last wanted value. OpenCombine waits for one more value.
final class FinishWithLast<Input>: Relay<Input> {
  private var missing: Int
  private var isOver = false

  init(_ downstream: AnySubscriber<Input, Fault>, count: Int) {
    missing = count
    super.init(downstream)
  }

  override func receive(_ input: Input) -> Subscribers.Demand {
    missing -= 1
    let demand = super.receive(input)
    guard missing == 0, !isOver else { return demand }
    cancel()
    super.receive(completion: .finished)
    return .none
  }

  override func receive(completion: Subscribers.Completion<Fault>) {
    guard !isOver else { return }
    isOver = true
    super.receive(completion: completion)
  }

  override func cancel() {
    guard !isOver else { return }
    isOver = true
    super.cancel()
  }
}

/// Above `throttle`: holds back what it requests while it is being sent its subscription. OpenCombine requests
/// before it passes a subscription on, Streams after it.
final class HoldFirstRequest<Input>: Relay<Input> {
  private var isSubscribing = true
  private var held = Subscribers.Demand.none

  override func receive(subscription: any Subscription) {
    super.receive(subscription: subscription)
    isSubscribing = false
    if held > 0 { super.request(held) }
  }

  override func request(_ demand: Subscribers.Demand) {
    if isSubscribing { held += demand } else { super.request(demand) }
  }
}

extension Publisher where Failure == Fault {
  func relayed(
    by make: @escaping (AnySubscriber<Output, Fault>) -> Relay<Output>
  ) -> Relayed<Output> {
    Relayed(upstream: eraseToAnyPublisher(), make: make)
  }

  /// Makes the end of `prefix` and `output` the same in both libraries.
  func finishingWith(_ count: Int) -> Relayed<Output> { relayed { FinishWithLast($0, count: count) } }
}

extension Publisher where Failure == Never {
  func finishingWith(_ count: Int) -> Self { self }
}
