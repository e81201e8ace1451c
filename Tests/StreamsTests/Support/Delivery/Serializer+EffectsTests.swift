import Glibc
import Synchronization
import TestThreads
import Testing

@testable import Streams

@Suite struct SerializerEffectsTests {
  private final class Shared {
    let serializer = Serializer()
    var log: [String] = []

    func signal(_ name: String) -> Bool {
      log.append("\(name) in turn: \(serializer.isEntered)")
      return serializer.isEntered
    }

    func note(_ name: String) { log.append("\(name) in turn: \(serializer.isEntered)") }

    func run(_ name: String) {
      serializer.run(self, name, { $0.signal($1) }) { shared, name, _ in shared.note("effect of \(name)") }
    }

    func runNow(_ name: String) {
      serializer.runNow(self, name, { $0.signal($1) }) { shared, name, _ in shared.note("effect of \(name)") }
    }

    func deliver(_ values: [Int]) -> Subscribers.Demand {
      values.withUnsafeBufferPointer { batch in
        serializer.deliver(batch, self) { shared, batch in
          shared.note("\(Array(batch))")
          return .max(batch.count)
        } from: { shared in
          shared.note("upstream")
          return Upstream(shared)
        }
      }
    }

    func replace(_ value: Noted) {
      serializer.run(self, value, releasing: { $0.exchange(with: $1) })
    }

    var kept: Noted?

    private func exchange(with value: Noted) -> Noted? {
      defer { kept = value }
      return kept
    }
  }

  /// Notes that it is released.
  private final class Noted {
    let name: String
    unowned let shared: Shared
    init(_ name: String, _ shared: Shared) { (self.name, self.shared) = (name, shared) }
    deinit { shared.note("release of \(name)") }
  }

  private struct Upstream: Subscription {
    let combineIdentifier = CombineIdentifier()
    let shared: Shared
    init(_ shared: Shared) { self.shared = shared }
    func request(_ demand: Subscribers.Demand) { shared.note("request of \(demand)") }
    func cancel() {}
  }

  private let shared = Shared()

  @Test func effectsComeAfterTheTurn() {
    shared.run("a")
    shared.runNow("b")
    shared.serializer.run(shared) { $0.note("c") }
    #expect(
      shared.log == [
        "a in turn: true", "effect of a in turn: false", "b in turn: true", "effect of b in turn: false",
        "c in turn: true",
      ])
    shared.log = []
    #expect(shared.deliver([1, 2]) == .max(2))
    #expect(shared.log == ["[1, 2] in turn: true"])
    shared.log = []
    shared.replace(Noted("old", shared))
    shared.replace(Noted("new", shared))
    #expect(shared.log == ["release of old in turn: false"])
    shared.kept = nil
  }

  @Test func nestedOnesComeAtOnce() {
    shared.serializer.run(shared) { shared in
      shared.run("a")
      shared.runNow("b")
      #expect(shared.deliver([1]) == .max(1))
      shared.serializer.run(shared) { $0.note("c") }
    }
    #expect(
      shared.log == [
        "a in turn: true", "effect of a in turn: true", "b in turn: true", "effect of b in turn: true",
        "[1] in turn: true", "c in turn: true",
      ])
  }

  @Test func whatIsPostedToAThreadAtWorkHasItsEffectsAfterwards() {
    let shared = shared
    shared.serializer.run(shared) { shared in
      race({ shared.runNow("a") })
      shared.note("signal")
    }
    #expect(shared.log == ["signal in turn: true", "a in turn: true", "effect of a in turn: false"])
  }

  /// Two threads that wait for each other's turn leave their signals to each other, with what they have brought.
  @Test func whatCannotWaitIsLeftWithAllItNeeds() {
    for _ in 0..<50 {
      let (one, other) = (Shared(), Shared())
      let count = Atomic(0)
      func meet(_ first: Shared, _ second: Shared) {
        first.serializer.run(first) { _ in
          count.wrappingAdd(1, ordering: .acquiringAndReleasing)
          while count.load(ordering: .acquiring) < 2 { sched_yield() }
          second.run("a")
          let demand = second.deliver([1, 2, 3])
          if demand != .none { second.log.append("returned \(demand)") }
          second.replace(Noted("old", second))
          second.replace(Noted("new", second))
          second.serializer.run(second) { $0.note("b") }
        }
      }
      race({ meet(one, other) }, { meet(other, one) })
      for shared in [one, other] {
        let isLeft = !shared.log.contains("returned max(3)")
        let batches = isLeft ? ["[1]", "[2]", "[3]"] : ["[1, 2, 3]"]
        let signals = (["a"] + batches + ["b"]).map { "\($0) in turn: true" }
        #expect(shared.log.filter { signals.contains($0) } == signals)
        #expect(shared.log.contains("effect of a in turn: false"))
        // Whom to ask is looked up in the turn, to which that belongs.
        #expect(shared.log.contains("upstream in turn: true") == isLeft)
        #expect(!shared.log.contains("upstream in turn: false"))
        #expect(shared.log.contains("request of max(1) in turn: false") == isLeft)
        #expect(shared.log.contains("release of old in turn: false"))
        shared.kept = nil
      }
    }
  }
}
