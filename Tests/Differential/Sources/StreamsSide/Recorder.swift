import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

/// A recorder of any type of values.
protocol AnyRecorder: AnyObject {
  func request(_ demand: Subscribers.Demand)
  func cancel()
}

/// A subscriber that writes down what it receives and does what the script says.
final class Recorder<Input>: Subscriber, AnyRecorder, CustomStringConvertible {
  typealias Failure = Fault

  private unowned let world: World
  private let number: Int
  private var subscription: (any Subscription)?
  private var count = 0

  init(_ world: World) {
    self.world = world
    number = world.recorders.count
  }

  var description: String { "recorder" }

  private func add(_ line: String) { world.trace.add("recorder \(number): \(line)") }

  private func react(at moment: Plan.Moment) {
    guard number == 0 else { return }
    for reaction in world.script.reactions where reaction.moment == moment {
      world.perform(reaction.action)
    }
  }

  func receive(subscription: any Subscription) {
    add("subscription \(describe(subscription))")
    self.subscription = subscription
    if let initial = world.script.initial { subscription.request(initial.demand) }
    react(at: .subscription)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    add("value \(input)")
    let index = count
    count += 1
    react(at: .value(index))
    let returned = world.script.returned
    return returned[index % returned.count].demand
  }

  func receive(completion: Subscribers.Completion<Fault>) {
    add(say(completion))
    react(at: .completion)
  }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() { subscription?.cancel() }

  /// Writes down what the subscription says of itself after the run.
  func examine() {
    if let subscription { add("in the end \(describe(subscription))") }
  }
}

/// What a subscription says of itself, as far as it has a say in it.
private func describe(_ subscription: any Subscription) -> String {
  if let unseen = subscription as? any Unseen, let upstream = unseen.upstream { return describe(upstream) }
  let name = (subscription as? any CustomStringConvertible)?.description ?? "-"
  // OpenCombine's Zip has a description and nothing else.
  if name == "Zip" { return name }
  let mirror = (subscription as? any CustomReflectable)?.customMirror
  let children = mirror?.children.map { child in
    let label = child.label ?? "_"
    // Debounce releases the value it has delivered, OpenCombine's does not.
    return label != "currentValue" && isNil(child.value) ? "\(label)=nil" : label
  }
  let playground = (subscription as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription
  let debug = subscription is any CustomDebugStringConvertible ? " debug" : ""
  return "\(name) mirror \(children.map { "\($0)" } ?? "-") playground \(playground ?? "-")\(debug)"
}

private func isNil(_ value: Any) -> Bool {
  let mirror = Mirror(reflecting: value)
  return mirror.displayStyle == .optional && mirror.children.isEmpty
}

/// A sink as the last subscriber.
final class SinkRecorder: AnyRecorder {
  private let cancellable: AnyCancellable

  init<Upstream: Publisher>(_ world: World, _ publisher: Upstream) where Upstream.Failure == Fault {
    let number = world.recorders.count
    let trace = world.trace
    cancellable = publisher.sink(
      receiveCompletion: { trace.add("sink \(number): \(say($0))") },
      receiveValue: { trace.add("sink \(number): value \($0)") })
  }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { cancellable.cancel() }
}
