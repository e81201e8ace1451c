import Streams

/// An entry's publisher, subscribed to by a probe, and what a rule does with them.
final class Run {
  let bench: Bench
  let probe: Probe
  private var publisher: (any Publisher)?
  private let subscribers: [Probe]
  private var connection: (any Cancellable)?
  private var lastValue = 0

  /// Builds the publisher, with `upstream` for its first upstream.
  convenience init<P: Publisher<Value, TestFailure>>(
    unsubscribed entry: Entry, _ supply: Bench.Supply, _ probe: Probe, upstream: (Bench) -> P
  ) {
    let bench = Bench(supply)
    bench.upstream = upstream(bench).eraseToAnyPublisher()
    self.init(unsubscribed: entry, on: bench, probe)
  }

  /// Builds the publisher.
  convenience init(
    unsubscribed entry: Entry, _ supply: Bench.Supply, _ probe: Probe, also others: [Probe] = []
  ) {
    self.init(unsubscribed: entry, on: Bench(supply), probe, also: others)
  }

  private init(unsubscribed entry: Entry, on bench: Bench, _ probe: Probe, also others: [Probe] = []) {
    self.bench = bench
    self.probe = probe
    subscribers = [probe] + others
    publisher = entry.make(bench)
  }

  /// Builds the publisher and subscribes the probes.
  convenience init(
    _ entry: Entry, _ supply: Bench.Supply = .scripted, _ probe: Probe = Probe(), also others: Probe...
  ) {
    self.init(unsubscribed: entry, supply, probe, also: others)
    subscribe()
    settle()
  }

  convenience init(_ entry: Entry, _ probe: Probe) { self.init(entry, .scripted, probe) }

  /// Subscribes the probes; connects what needs a connection.
  func subscribe() {
    guard let publisher else { return }
    subscribers.forEach(subscribe)
    connection = (publisher as? any ConnectablePublisher)?.connect()
  }

  /// Subscribes one more, if the publisher has not been released.
  func subscribe(_ probe: Probe) {
    if let publisher { Self.subscribe(probe, to: publisher) }
  }

  private static func subscribe<P: Publisher>(_ probe: Probe, to publisher: P) {
    probe.subscribe(to: publisher)
  }

  /// Lets enough time pass for whatever is waiting for it.
  func settle() { bench.scheduler.advance(by: .seconds(10)) }

  /// The next value to send.
  func nextValue() -> Value {
    lastValue += 1
    return bench.value(lastValue)
  }

  /// Sends a value to each upstream that is alive and has demand, so many times.
  ///
  /// Upstreams that came last go first: the values of a child are sent before another takes its place.
  func play(rounds: Int = 24) {
    for _ in 0..<rounds {
      let value = nextValue()
      for source in bench.talkativeSources.reversed() where !source.isOver { source.send(value) }
      settle()
    }
  }

  /// Finishes all upstreams, also those that come into being thereby.
  func finish() { endAll { $0.finish() } }

  /// Fails all upstreams, also those that come into being thereby.
  func fail() { endAll { $0.fail() } }

  private func endAll(_ end: (any Feed) -> Void) {
    settle()
    while let source = bench.sources.first(where: { !$0.isOver }) {
      end(source)
      settle()
    }
  }

  /// Does all that an upstream must not do after the end.
  func sendEverythingLate() {
    for source in bench.sources {
      source.force(nextValue())
      source.finish()
      source.fail()
      source.force(nextValue())
    }
    settle()
  }

  /// Releases the publisher and of its connection.
  func forgetPublisher() {
    publisher = nil
    connection = nil
  }
}
