import Foundation
import StreamsSchedulers
import StreamsUI
import Synchronization
import Testing

/// Something with a count that tells, in one way or another, before it changes.
private protocol Counting: ObservableObject, Sendable {
  var count: Int { get set }
  /// Those who are told within the announcement, and after it, before the new value is kept.
  var moments: Moments { get }
  init()
}

/// What a test does amid a change.
private final class Moments: Sendable {
  nonisolated(unsafe) var amid: () -> Void = {}
}

private final class ByProperty: Counting, @unchecked Sendable {
  @Published var count = 0
  let moments = Moments()
  private var cancellables: Set<AnyCancellable> = []

  init() {
    $count.dropFirst().sink { [moments] _ in moments.amid() }.store(in: &cancellables)
    objectWillChange.sink { [moments] in moments.amid() }.store(in: &cancellables)
  }
}

private final class ByHand: Counting, @unchecked Sendable {
  private let kept = Mutex(0)
  let moments = Moments()
  private var cancellables: Set<AnyCancellable> = []
  var count: Int {
    get { kept.withLock { $0 } }
    set {
      objectWillChange.send()
      moments.amid()
      kept.withLock { $0 = newValue }
    }
  }

  init() { objectWillChange.sink { [moments] in moments.amid() }.store(in: &cancellables) }
}

/// With a publisher of its own.
private final class BySubject: Counting, @unchecked Sendable {
  let objectWillChange = PassthroughSubject<Void, Never>()
  private let kept = Mutex(0)
  let moments = Moments()
  private var cancellable: AnyCancellable?
  var count: Int {
    get { kept.withLock { $0 } }
    set {
      objectWillChange.send()
      kept.withLock { $0 = newValue }
    }
  }

  init() { cancellable = objectWillChange.sink { [moments] in moments.amid() } }
}

/// Tells when the object in it does.
private final class ByPart<Part: Counting>: Counting, @unchecked Sendable {
  private let part = Part()
  private var cancellable: AnyCancellable?
  var moments: Moments { part.moments }
  var count: Int {
    get { part.count }
    set { part.count = newValue }
  }

  init() { cancellable = part.objectWillChange.sink { [unowned self] _ in objectWillChange.send() } }
}

/// Its publisher is made of the one of the object in it.
private final class ByOperators<Part: Counting>: Counting, @unchecked Sendable {
  private let part = Part()
  var moments: Moments { part.moments }
  var objectWillChange: AnyPublisher<Void, Never> {
    part.objectWillChange.map { _ in () }.eraseToAnyPublisher()
  }
  var count: Int {
    get { part.count }
    set { part.count = newValue }
  }

  init() {}
}

private let kinds: [any Counting.Type] = [
  ByProperty.self, ByHand.self, BySubject.self, ByPart<ByProperty>.self, ByPart<ByHand>.self,
  ByPart<ByPart<ByProperty>>.self, ByOperators<ByProperty>.self, ByOperators<ByPart<ByHand>>.self,
]

private struct CountView<Model: Counting>: View {
  @ObservedObject var model: Model
  var body: some View { Text("\(model.count)") }
}

/// Whatever is updated while an object changes, in the end the views show what it has.
@MainActor @Suite struct StaleViewTests {
  private struct Kind: CustomTestStringConvertible, Sendable {
    let index: Int
    var type: any Counting.Type { kinds[index] }
    var testDescription: String { "\(type)" }
    static let all = kinds.indices.map(Kind.init)
    /// Those of which somebody knows when a change has been made.
    static let knowing = all.filter { !"\($0.type)".contains("ByHand") && $0.type != BySubject.self }
  }

  /// Runs an action on another thread; returns what waits for its end.
  private nonisolated func onAnotherThread(_ action: @escaping @Sendable () -> Void) -> () -> Void {
    let done = DispatchSemaphore(value: 0)
    Thread {
      action()
      done.signal()
    }.start()
    return { done.wait() }
  }

  @Test(arguments: Kind.all) private func anUpdateAmidAChange(_ kind: Kind) throws {
    func test<Model: Counting>(_: Model.Type) throws {
      let model = Model()
      let host = ViewHost(CountView(model: model))
      try host.update()
      model.moments.amid = { MainActor.assumeIsolated { try? host.update() } }
      model.count = 1
      model.moments.amid = {}
      try host.update()
      try host.update()
      #expect(host.texts == ["1"])
    }
    try test(kind.type)
  }

  /// A view that comes amid a change has not been told of it.
  @Test(arguments: Kind.knowing) private func aHostThatIsMadeAmidAChange(_ kind: Kind) throws {
    func test<Model: Counting>(_: Model.Type) throws {
      let model = Model()
      nonisolated(unsafe) var hosts: [ViewHost] = []
      model.moments.amid = {
        MainActor.assumeIsolated {
          let host = ViewHost(CountView(model: model))
          hosts.append(host)
          try? host.update()
        }
      }
      model.count = 1
      model.moments.amid = {}
      #expect(!hosts.isEmpty)
      for host in hosts {
        try host.update()
        try host.update()
        #expect(host.texts == ["1"])
      }
    }
    try test(kind.type)
  }

  @Test(arguments: Kind.knowing) private func aHostThatIsMadeAmidAnotherThreadsChange(_ kind: Kind) throws {
    func test<Model: Counting>(_: Model.Type) throws {
      let model = Model()
      var hosts: [ViewHost] = []
      try change(model) {
        let host = ViewHost(CountView(model: model))
        hosts.append(host)
        try host.update()
      }
      for host in hosts {
        try host.update()
        #expect(host.texts == ["1"])
      }
    }
    try test(kind.type)
  }

  /// Sets a count to 1 on another thread, which is held up at each of the moments until `meanwhile` has returned.
  private func change<Model: Counting>(_ model: Model, meanwhile: () throws -> Void) throws {
    let (isAmid, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isOver = Atomic(false)
    model.moments.amid = {
      isAmid.signal()
      goesOn.wait()
    }
    let end = onAnotherThread {
      model.count = 1
      isOver.store(true, ordering: .sequentiallyConsistent)
      isAmid.signal()
    }
    var count = 0
    isAmid.wait()
    while !isOver.load(ordering: .sequentiallyConsistent) {
      try meanwhile()
      count += 1
      goesOn.signal()
      isAmid.wait()
    }
    end()
    model.moments.amid = {}
    #expect(count > 0)
  }

  /// The other thread is held up at each of the moments, until there has been an update.
  @Test(arguments: Kind.all) private func anUpdateAmidAnotherThreadsChange(_ kind: Kind) throws {
    func test<Model: Counting>(_: Model.Type) throws {
      let model = Model()
      let host = ViewHost(CountView(model: model))
      try host.update()
      try change(model) { try host.update() }
      try host.update()
      #expect(host.texts == ["1"])
    }
    try test(kind.type)
  }

  /// Random programs: two threads set counts, views are shown and hidden, and one updates.
  @Test(arguments: Kind.all, 0..<4) private func threadsThatSetAndOneThatUpdates(
    _ kind: Kind, _ seed: UInt64
  )
    throws
  {
    struct Screen<Model: Counting>: View {
      let models: [Model]
      @ObservedObject var shown: ByProperty
      var body: some View {
        ForEach(0..<models.count, id: \.self) { index in
          if shown.count & (1 << index) != 0 { CountView(model: models[index]) }
        }
      }
    }
    func test<Model: Counting>(_: Model.Type) throws {
      let (models, shown) = ((0..<3).map { _ in Model() }, ByProperty())
      shown.count = 7
      let host = ViewHost(Screen(models: models, shown: shown))
      // A view that comes amid a change that is made by hand cannot know of it.
      let hides = Kind.knowing.contains { $0.type == Model.self }
      if !hides { try host.update() }
      for round in 0..<100 {
        let ends = (0..<2).map { thread in
          onAnotherThread {
            var generator = SplitMix(state: seed << 32 | UInt64(round << 1 | thread))
            for _ in 0..<20 {
              let number = Int.random(in: 0..<8, using: &generator)
              let model = (thread == 0 ? models : [models[2]]).randomElement(using: &generator)
              // Each is set by one thread: who else sets it last is not known.
              if number == 0, thread == 1, hides {
                shown.count = Int.random(in: 0..<8, using: &generator)
              } else if thread == 1 || model !== models[2] {
                model?.count = number
              }
            }
          }
        }
        for _ in 0..<20 { try host.update() }
        for end in ends { end() }
        try host.update()
        try host.update()
        let expected = models.indices.filter { shown.count & (1 << $0) != 0 }.map { "\(models[$0].count)" }
        guard host.texts == expected else {
          Issue.record("\(Model.self), seed \(seed), round \(round): \(host.texts) and not \(expected)")
          return
        }
      }
    }
    try test(kind.type)
  }

  /// A scheduler is asked to look again, where nobody knows when the change has been made.
  @Test(arguments: Kind.all) private func aSchedulerLooksAgain(_ kind: Kind) throws {
    func test<Model: Counting>(_: Model.Type) throws {
      let model = Model()
      let clock = VirtualTimeScheduler()
      let host = ViewHost(CountView(model: model), scheduler: clock)
      clock.advance()
      try change(model) { clock.advance() }
      clock.advance(by: .seconds(2))
      #expect(host.texts == ["1"])
      #expect(clock.pendingCount <= 1)
    }
    try test(kind.type)
  }

  /// Where the change is known to have been made, the view is evaluated once.
  @Test func aChangeIsOneEvaluation() throws {
    func evaluations<Model: Counting>(_: Model.Type) throws -> [Int] {
      let model = Model()
      let host = ViewHost(CountView(model: model))
      try host.update()
      let first = try host.evaluated { model.count = 1 }.count
      return [first, try host.evaluated().count, try host.evaluated().count]
    }
    #expect(try evaluations(ByProperty.self) == [1, 0, 0])
    #expect(try evaluations(ByPart<ByProperty>.self) == [1, 0, 0])
    #expect(try evaluations(ByOperators<ByProperty>.self) == [1, 0, 0])
    // It may be amid the change that an update is made.
    #expect(try evaluations(ByHand.self) == [1, 1, 0])
    #expect(try evaluations(BySubject.self) == [1, 1, 0])
  }
}
