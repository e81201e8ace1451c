import StreamsExtras
import StreamsProperty
import StreamsSchedulers
import StreamsTesting
import Testing

@testable import Streams

/// What a closure does amid an array, with things that are no part of the array's way, comes after the results before it, as
/// among single sends.
@Suite struct ArrayActionTests {
  final class Model: ObservableObject {
    @Published var number = 0
  }

  /// A subscriber that leaves requests and cancellation to the test.
  final class Manual: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    private let onValue: (Int) -> Void
    private(set) var subscription: (any Subscription)!

    init(_ publisher: some Publisher<Int, Never>, _ onValue: @escaping (Int) -> Void) {
      self.onValue = onValue
      publisher.subscribe(self)
    }

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Int) -> Subscribers.Demand {
      onValue(input)
      return .none
    }
    func receive(completion: Subscribers.Completion<Never>) { onValue(-1) }
  }

  /// A run of a scenario.
  final class Stage {
    let subject = PassthroughSubject<Int, Never>()
    let clock = VirtualTimeScheduler()
    var cancellables: Set<AnyCancellable> = []
    private(set) var log: [String] = []
    private let sendsArrays: Bool

    init(sendsArrays: Bool) { self.sendsArrays = sendsArrays }

    func note(_ event: Any) { log.append("\(event)") }

    func send(_ values: [Int], to other: (any Subject<Int, Never>)? = nil) {
      let subject = other ?? subject
      if sendsArrays {
        values.withUnsafeBufferPointer(subject.send(contentsOf:))
      } else {
        values.forEach(subject.send)
      }
    }

    /// Attaches a sink behind a closure.
    func attach(_ onClosure: @escaping (Int) -> Void, _ onValue: @escaping (Int) -> Void) {
      subject.map { value -> Int in
        onClosure(value)
        return value
      }.sink { [self] value in
        note("value \(value)")
        onValue(value)
      }.store(in: &cancellables)
    }
  }

  struct Scenario: CustomTestStringConvertible, @unchecked Sendable {
    let testDescription: String
    let play: (Stage) -> Void

    init(_ name: String, _ play: @escaping (Stage) -> Void) {
      (testDescription, self.play) = (name, play)
    }

    func log(sendsArrays: Bool) -> [String] {
      let stage = Stage(sendsArrays: sendsArrays)
      play(stage)
      stage.cancellables = []
      return stage.log
    }
  }

  static let scenarios = joiners + promises + properties + cancellations + others

  @Test(arguments: scenarios) func anArrayIsWhatSingleSendsAre(_ scenario: Scenario) {
    #expect(scenario.log(sendsArrays: true) == scenario.log(sendsArrays: false))
  }
}

extension ArrayActionTests {
  /// Whatever a value requests, the next closure cancels.
  @Test func everyPublisherMayBeCancelledAmidAnArray() {
    for entry in Entry.all {
      let logs = [false, true].map { sendsArrays -> [String] in
        let stage = Stage(sendsArrays: sendsArrays)
        let probe = Probe(demand: .none, takesBatches: false)
        let run = Run(unsubscribed: entry, .sequences(3), probe)
        run.subscribe()
        stage.attach({ if $0 == 2 { probe.cancel() } }, { if $0 == 1 { probe.request(.max(1)) } })
        stage.send([1, 2, 3])
        run.finish()
        stage.cancellables = []
        return probe.trace.map { "\($0)" }
      }
      #expect(logs[1] == logs[0], "\(entry.name)")
    }
  }

  /// Somebody subscribes to the subject amid the array, and each closure after that does something.
  private static func joiner(
    _ name: String, _ act: @escaping (Stage, CurrentValueSubject<Int, Never>, Int) -> Void
  ) -> Scenario {
    Scenario("a subscriber joins, closures \(name)") { stage in
      let latest = CurrentValueSubject<Int, Never>(0)
      stage.attach(
        { value in
          if value == 1 {
            stage.subject.sink { joined in
              stage.note("joined \(joined)")
              latest.value = joined * 10
            }.store(in: &stage.cancellables)
          }
          act(stage, latest, value)
        }, { _ in })
      stage.send([1, 2, 3, 4, 5, 6])
    }
  }

  private static let joiners = [
    joiner("read") { if $2 > 2 { $0.note($1.value) } },
    joiner("do nothing") { _, _, _ in },
    joiner("read once") { if $2 == 4 { $0.note($1.value) } },
    joiner("send to others") { _, _, value in PassthroughSubject<Int, Never>().send(value) },
    joiner("send arrays to others") { stage, _, value in
      stage.send([value, value], to: PassthroughSubject<Int, Never>())
    },
    joiner("send arrays to a subject that replays") { stage, latest, value in
      guard value == 5 else { return }
      let replay = ReplaySubject<Int, Never>(bufferSize: 1)
      stage.send([value, value], to: replay)
      stage.note(latest.value)
    },
  ]

  private static let promises = [
    Scenario("a promise that a value has kept before") { stage in
      var promise: Future<Int, Never>.Promise!
      let future = Future<Int, Never> { promise = $0 }
      stage.attach({ if $0 == 2 { promise(.success(20)) } }, { if $0 == 1 { promise(.success(10)) } })
      stage.send([1, 2, 3, 4])
      future.sink { stage.note($0) }.store(in: &stage.cancellables)
    },
    Scenario("a promise to somebody who subscribes with a value") { stage in
      var promise: Future<Int, Never>.Promise!
      let future = Future<Int, Never> { promise = $0 }
      stage.attach(
        { if $0 == 2 { promise(.success(20)) } },
        { value in
          if value == 1 { future.sink { stage.note("future \($0)") }.store(in: &stage.cancellables) }
          stage.note("after \(value)")
        })
      stage.send([1, 2, 3, 4])
    },
  ]

  private static let properties = [
    Scenario("a property that nobody watches is read") { stage in
      let model = Model()
      stage.attach({ _ in stage.note(model.number) }, { model.number = $0 })
      stage.send([1, 2, 3])
    },
    Scenario("a property is set that a value begins to watch") { stage in
      let model = Model()
      stage.attach(
        { model.number = $0 * 10 },
        { value in
          stage.note(model.number)
          if value == 1 { model.$number.sink { stage.note("number \($0)") }.store(in: &stage.cancellables) }
        })
      stage.send([1, 2, 3])
    },
    Scenario("a property is read by its key path") { stage in
      let model = Model()
      let models = PassthroughSubject<Model, Never>()
      models.map(\.number).sink { number in
        stage.note(number)
        model.number = number + 1
      }.store(in: &stage.cancellables)
      stage.attach({ _ in models.send(model) }, { _ in })
      stage.send([1, 2, 3])
    },
    Scenario("an object's changes, which a value begins to watch") { stage in
      let model = Model()
      _ = model.objectWillChange
      stage.attach(
        { if $0 == 2 { model.number = 20 } },
        { value in
          guard value == 1 else { return }
          model.objectWillChange.sink { stage.note("will change \(model.number)") }.store(
            in: &stage.cancellables)
        })
      stage.send([1, 2, 3])
    },
    Scenario("a binding that is watched while values read another property") { stage in
      let (model, other) = (Model(), Model())
      _ = (model.$number, other.$number)
      stage.attach(
        { value in
          guard value == 2 else { return }
          Binding(model, \.number).values.sink { stage.note("bound \($0)") }.store(in: &stage.cancellables)
        }, { _ in stage.note(other.number) })
      stage.send([1, 2, 3])
      other.number = 5
      other.number = 6
      model.number = 7
    },
    Scenario("a binding sets a variable") { stage in
      var variable = 0
      let binding = Binding(get: { variable }, set: { variable = $0 })
      stage.attach({ binding.wrappedValue = $0 * 10 }, { _ in stage.note(variable) })
      stage.send([1, 2, 3])
    },
  ]

  /// What a value requests, the next closure cancels.
  private static func cancellation(
    _ name: String, _ publisher: @escaping (Stage) -> some Publisher<Int, Never>
  ) -> Scenario {
    Scenario("\(name) is cancelled") { stage in
      let manual = Manual(publisher(stage)) { stage.note("received \($0)") }
      stage.attach(
        { if $0 == 2 { manual.subscription.cancel() } },
        { if $0 == 1 { manual.subscription.request(.max(1)) } })
      stage.send([1, 2, 3])
    }
  }

  private static let cancellations = [
    cancellation("Just") { _ in Just(9) },
    cancellation("a value or none") { _ in Optional(9).publisher },
    cancellation("a result") { _ in Result<Int, Never>.success(9).publisher },
    cancellation("a sequence") { _ in [7, 8, 9].publisher },
    cancellation("a record") { _ in Record<Int, Never>(output: [7, 8], completion: .finished) },
    cancellation("what a sequence reduces to") { _ in [7, 8].publisher.scan(0, +).collect().map(\.count) },
    cancellation("a property") { _ in Property(5).allValues },
    cancellation("a future") { _ in Future { $0(.success(9)) } },
    Scenario("a subscription to a promise that a value keeps is cancelled") { stage in
      var promise: Future<Int, Never>.Promise!
      let manual = Manual(Future<Int, Never> { promise = $0 }) { stage.note("received \($0)") }
      manual.subscription.request(.max(1))
      stage.attach(
        { if $0 == 2 { manual.subscription.cancel() } }, { if $0 == 1 { promise(.success(10)) } })
      stage.send([1, 2, 3])
    },
    Scenario("a closure of one's own is the cancellation") { stage in
      var latest = 0
      let cancellable = AnyCancellable { stage.note("cancelled at \(latest)") }
      stage.attach({ if $0 == 3 { cancellable.cancel() } }, { latest = $0 })
      stage.send([1, 2, 3])
    },
    Scenario("what repeats in virtual time is cancelled") { stage in
      let timer = stage.clock.schedule(after: stage.clock.now, interval: 1) { stage.note("tick") }
      stage.attach({ if $0 == 3 { timer.cancel() } }, { _ in stage.clock.advance(by: 1) })
      stage.send([1, 2, 3])
      timer.cancel()
    },
  ]

  private static let others = [
    Scenario("actions are scheduled") { stage in
      stage.attach(
        { value in stage.clock.schedule { stage.note("action \(value)") } },
        { value in stage.clock.schedule { stage.note("action for \(value)") } })
      stage.send([1, 2, 3])
      stage.clock.run()
    },
    Scenario("a value repeats what is no duplicate any more") { stage in
      stage.subject.removeAllDuplicates { $0 % 10 }.sink { value in
        stage.note(value)
        if value == 1 { stage.subject.send(12) }
      }.store(in: &stage.cancellables)
      stage.send([1, 2])
    },
  ]
}
