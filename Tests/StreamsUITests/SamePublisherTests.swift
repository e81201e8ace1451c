import Foundation
import StreamsSchedulers
import StreamsUI
import Testing

private struct Counting<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  let upstream: Upstream
  let count: Counter
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    count.action()
    upstream.subscribe(subscriber)
  }
}
private final class Counter {
  let action: () -> Void
  init(_ action: @escaping () -> Void) { self.action = action }
}

/// A publisher that a body makes anew stays subscribed to as long as it stands for the same.
@MainActor @Suite(.serialized) struct SamePublisherTests {
  private final class Model: ObservableObject {
    @Published var text = "a"
    @Published var count = 0
  }

  /// Counts the subscriptions to the publisher that `make` makes of the model's.
  private struct Receiving<P: Publisher>: View where P.Failure == Never {
    @ObservedObject var model: Model
    let make: (Published<String>.Publisher) -> P
    @State private var received: [String] = []
    var body: some View {
      Text("\(model.count)").onReceive(make(model.$text)) { received.append("\($0)") }
    }
  }

  private func evaluations<P: Publisher>(
    _ make: @escaping (Published<String>.Publisher) -> P
  ) throws -> Int where P.Failure == Never {
    var subscriptions = 0
    let counter = Counter { subscriptions += 1 }
    let model = Model()
    let host = ViewHost(Receiving(model: model) { Counting(upstream: make($0), count: counter) })
    try host.update()
    for _ in 0..<3 {
      model.count += 1
      try host.update()
    }
    return subscriptions
  }

  @Test func queuesAreComparedByWhatTheyStandFor() throws {
    #expect(try evaluations { $0.receive(on: DispatchQueue.main) } == 1)
    #expect(try evaluations { $0.receive(on: DispatchQueue.global()) } == 1)
    #expect(try evaluations { $0.receive(on: DispatchQueue.global(qos: .utility)) } == 1)
    #expect(try evaluations { $0.receive(on: RunLoop.main) } == 1)
    #expect(try evaluations { $0.receive(on: OperationQueue.main) } == 1)
    #expect(try evaluations { $0.receive(on: ImmediateScheduler.shared) } == 1)
    #expect(try evaluations { $0.debounce(for: .milliseconds(5), scheduler: DispatchQueue.main) } == 1)
    #expect(try evaluations { $0.delay(for: .milliseconds(5), scheduler: DispatchQueue.global()) } == 1)
    #expect(
      try evaluations { $0.throttle(for: .milliseconds(5), scheduler: DispatchQueue.main, latest: true) } == 1
    )
    #expect(try evaluations { $0.timeout(.seconds(5), scheduler: DispatchQueue.main) } == 1)
    #expect(try evaluations { $0.subscribe(on: DispatchQueue.global(qos: .background)) } == 1)
    #expect(try evaluations { $0.measureInterval(using: DispatchQueue.main) } == 1)
    #expect(try evaluations { $0.collect(.byTime(DispatchQueue.main, .milliseconds(5))) } == 1)
    let options = DispatchQueue.SchedulerOptions(qos: .utility)
    #expect(try evaluations { $0.receive(on: DispatchQueue.main, options: options) } == 1)
  }

  @Test func otherQueuesAreOthers() throws {
    var queues = [DispatchQueue.main, .global(), .global(qos: .utility), DispatchQueue(label: "other")]
    #expect(try evaluations { $0.receive(on: queues.removeFirst()) } == 4)
    var quality = [DispatchQoS.utility, .background, .default, .userInitiated]
    #expect(
      try evaluations {
        $0.receive(on: DispatchQueue.main, options: .init(qos: quality.removeFirst()))
      } == 4)
    #expect(try evaluations { $0.receive(on: DispatchQueue(label: "one")) } == 4)
  }

  /// A loop that goes by way of a scheduler: the erased publisher is another each time.
  private struct Looping: View {
    @ObservedObject var model: Model
    let clock: VirtualTimeScheduler
    let pause: Int
    @State private var count = 0
    var body: some View {
      Text("\(count)").onReceive(
        model.$text.delay(for: .milliseconds(pause), scheduler: clock).eraseToAnyPublisher()
      ) { _ in count += 1 }
    }
  }

  @Test func whatGoesRoundByWayOfASchedulerEnds() throws {
    let before = ViewHost.report
    defer { ViewHost.report = before }
    nonisolated(unsafe) var reports: [String] = []
    ViewHost.report = { reports.append($0) }
    let clock = VirtualTimeScheduler()
    let model = Model()
    let host = ViewHost(Looping(model: model, clock: clock, pause: 0), scheduler: clock)
    clock.advance()
    #expect(host.texts == ["100"])
    let message = "an update was given up after 100 rounds: Looping go on for ever"
    #expect(reports == [message])
    #expect(host.errors.map { "\($0)" } == [message])
    // From outside it begins again, and ends again.
    host.environment.colorScheme = .dark
    model.text = "b"
    clock.advance()
    #expect(throws: ViewHost.EndlessUpdate.self) { try host.update() }
  }

  @Test func whatGoesRoundInTimeGoesOn() throws {
    let clock = VirtualTimeScheduler()
    let host = ViewHost(Looping(model: Model(), clock: clock, pause: 10), scheduler: clock)
    clock.advance()
    for _ in 0..<300 { clock.advance(by: .milliseconds(10)) }
    #expect(host.texts == ["300"])
    #expect(host.errors.isEmpty)
  }
}
