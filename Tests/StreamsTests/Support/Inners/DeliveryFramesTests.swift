import Testing

@testable import Streams

@Suite struct DeliveryFramesTests {
  private final class Owner: Subscription {
    let frames = DeliveryFrames()
    var log: [String] = []

    func request(_ demand: Subscribers.Demand) { log.append("request of \(demand)") }
    func cancel() {}

    /// Makes a delivery. Returns what is demanded of the publisher that sends it.
    func deliver(returning more: Subscribers.Demand, _ body: () -> Void) -> Subscribers.Demand {
      frames.delivering(from: self) {
        body()
        return more
      }
    }

    var isSerialized: Bool { frames.isSerialized.load(ordering: .relaxed) }
    var isEntered: Bool { frames.serializer.isEntered }
  }

  private let owner = Owner()

  @Test func anEndBetweenDeliveriesChangesNothing() {
    #expect(owner.deliver(returning: .max(1)) {} == .max(1))
    owner.frames.publisherHasEnded()
    #expect(!owner.isSerialized)
    #expect(owner.deliver(returning: .max(2)) {} == .max(2))
    #expect(owner.log == [])
  }

  @Test func theOutermostDeliveryHasTheTurn() {
    let owner = owner
    let demand = owner.deliver(returning: .max(1)) {
      let inner = owner.deliver(returning: .max(2)) { owner.frames.publisherHasEnded() }
      #expect(inner == .none && owner.isSerialized && owner.isEntered)
      // The next publisher ends in the same delivery.
      owner.frames.publisherHasEnded()
      #expect(owner.log == [])
    }
    #expect(demand == .none && owner.isSerialized && !owner.isEntered)
    #expect(owner.log == ["request of max(2)", "request of max(1)"])
  }
}
