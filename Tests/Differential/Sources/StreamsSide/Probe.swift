import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

/// A source that writes down what is asked of it and sends only what was asked for.
final class Probe: Publisher {
  typealias Output = Int
  typealias Failure = Fault

  final class Connection: Subscription, CustomStringConvertible {
    let probe: Probe
    let number: Int
    let subscriber: AnySubscriber<Int, Fault>
    var demand = Subscribers.Demand.none
    var hasSubscription = false
    /// Whether it has completed or was cancelled.
    var isOver = false
    private var isAnswering = false

    init<S: Subscriber>(_ probe: Probe, number: Int, _ subscriber: S)
    where S.Input == Int, S.Failure == Fault {
      self.probe = probe
      self.number = number
      self.subscriber = AnySubscriber(subscriber)
    }

    var description: String { "connection" }
    private var name: String { "    source \(probe.number)/\(number)" }
    private func add(_ line: String) { probe.world?.trace.add("\(name) \(line)") }

    func greet() {
      guard !hasSubscription else { return }
      hasSubscription = true
      add("subscription")
      subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) {
      // What is asked of a source that is over means nothing, and some operators do not care to ask.
      if !isOver { add("request \(say(demand))") }
      self.demand += demand
      answer()
    }

    /// An eager probe sends up to six values.
    private func answer() {
      guard probe.mode == .eager, !isAnswering else { return }
      isAnswering = true
      while !isOver, demand > 0, probe.sent < 6 {
        probe.sent += 1
        send(probe.sent)
      }
      isAnswering = false
    }

    func cancel() {
      add("cancel")
      isOver = true
    }

    func send(_ value: Int) {
      guard hasSubscription, !isOver, demand > 0 else { return }
      demand -= 1
      add("value \(value)")
      let more = subscriber.receive(value)
      if more != .none { add("is returned \(say(more))") }
      demand += more
      answer()
    }

    func complete(_ completion: Subscribers.Completion<Fault>) {
      guard hasSubscription, !isOver else { return }
      isOver = true
      add("\(say(completion))")
      subscriber.receive(completion: completion)
    }
  }

  let number: Int
  let mode: ProbeMode
  private(set) weak var world: World?
  private var connections: [Connection] = []
  /// How many values an eager probe has sent.
  var sent = 0

  init(_ number: Int, _ mode: ProbeMode, _ world: World) {
    self.number = number
    self.mode = mode
    self.world = world
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Fault {
    let connection = Connection(self, number: connections.count, subscriber)
    connections.append(connection)
    world?.trace.add("    source \(number)/\(connection.number) has a subscriber")
    if mode != .late { connection.greet() }
  }

  func greet() { connections.forEach { $0.greet() } }

  func send(_ value: Int, to one: Int?) {
    if let one {
      if one < connections.count { connections[one].send(value) }
    } else {
      connections.forEach { $0.send(value) }
    }
  }

  func complete(_ completion: Subscribers.Completion<Fault>) {
    connections.forEach { $0.complete(completion) }
  }

  func forget() { connections = [] }
}
