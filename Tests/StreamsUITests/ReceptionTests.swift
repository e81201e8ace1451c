// The traced program stands as it was written, with its traces.
// swift-format-ignore-file
import StreamsUI
import Testing

/// What the program traces.
nonisolated(unsafe) private var lines: [String] = []
private func trace(_ line: String) { lines.append(line) }

private final class Tracker<Output, Failure, Target>: Publisher where Target: Publisher, Output == Target.Output, Failure == Target.Failure {
    private let target: Target
    init(_ target: Target) {
        self.target = target
    }

    func receive<Downstream: Subscriber>(subscriber: Downstream) where Failure == Downstream.Failure, Output == Downstream.Input {
        trace("> Subject receive(subscriber:)")
        target.subscribe(TrackedSubscriber(subscriber))
        trace("< Subject receive(subscriber:)")
    }

    deinit { }
}

extension Tracker: Subject where Target: Subject {
    func send(_ value: Output) {
        trace("> Subject send(_:) value: \(value)")
        target.send(value)
        trace("< Subject send(_:)")
    }

    func send(completion: Subscribers.Completion<Failure>) {
        target.send(completion: completion)
    }

    func send(subscription: Subscription) {
        target.send(subscription: subscription)
    }
}

private final class TrackedSubscriber<Input, Failure, Target>: Subscriber where Target: Subscriber, Input == Target.Input, Failure == Target.Failure {
    private let target: Target
    init(_ target: Target) {
        self.target = target
    }

    func receive(subscription: any Subscription) {
        trace("> Subscriber receive(subscription:)")
        target.receive(subscription: TrackedSubscription(subscription))
        trace("< Subscriber receive(subscription:)")
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        trace("- Subscriber receive(_:) input: \(input)")
        return target.receive(input)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        target.receive(completion: completion)
    }

    deinit { trace("- Subscriber deinit") }
}

private final class TrackedSubscription: Subscription {
    private let target: Subscription
    init(_ target: Subscription) {
        self.target = target
    }

    func request(_ demand: Subscribers.Demand) {
        trace("- Subscription request(_:) demand: \(demand)")
        target.request(demand)
    }

    func cancel() {
        trace("> Subscription cancel()")
        target.cancel()
        trace("< Subscription cancel()")
    }

    deinit { trace("- Subscription deinit") }
}

private struct TrackedView: View {
  let subject: Tracker<String, Never, PassthroughSubject<String, Never>>

  var body: some View {
    Button("Send") {
      trace("> Button perform(:)")
      subject.send("value")
      trace("< Button perform(:)")
    }
    .onReceive(subject) { trace("- View onReceive(:) output: \($0)") }
    .onAppear { trace("- View onAppear") }
    .onDisappear { trace("- View onDisappear") }
  }
}

private struct Screen: View {
  @State private var isShown = true
  let subject: Tracker<String, Never, PassthroughSubject<String, Never>>

  var body: some View {
    Toggle("Shown", isOn: $isShown)
    if isShown { TrackedView(subject: subject) }
  }
}

@MainActor @Suite(.serialized) struct ReceptionTests {
  let host = ViewHost(Screen(subject: Tracker(PassthroughSubject<String, Never>())))

  func traced(_ program: () throws -> Void) rethrows -> [String] {
    lines = []
    try program()
    return lines
  }

  @Test func followsTheViewAsInSwiftUI() throws {
    let appear = try traced { try host.update() }
    #expect(
      appear == [
        "> Subject receive(subscriber:)",
        "> Subscriber receive(subscription:)",
        "- Subscription request(_:) demand: unlimited",
        "- Subscription request(_:) demand: unlimited",
        "< Subscriber receive(subscription:)",
        "< Subject receive(subscriber:)",
        "- View onAppear",
      ])
    let send = try traced {
      try host.tap("Send")
      try host.update()
    }
    #expect(
      send == [
        "> Button perform(:)",
        "> Subject send(_:) value: value",
        "- Subscriber receive(_:) input: value",
        "< Subject send(_:)",
        "< Button perform(:)",
        "- View onReceive(:) output: value",
      ])
    let disappear = try traced {
      try host.toggle("Shown")
      try host.update()
    }
    #expect(
      disappear == [
        "> Subscription cancel()",
        "- Subscriber deinit",
        "< Subscription cancel()",
        "- Subscription deinit",
        "- View onDisappear",
      ])
  }
}
