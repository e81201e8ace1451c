import StreamsTesting
import Testing

@testable import Streams

@Suite struct QueueTests {
  /// Expectations copy what they look into: this keeps the queue in one place.
  private final class Shared {
    private var queue = Queue<Int>()

    var isEmpty: Bool { queue.isEmpty }
    var count: Int { queue.count }
    var size: Int { queue.ring.count }
    func append(_ value: Int) { queue.append(value) }
    func popFirst() -> Int? { queue.popFirst() }
    func removeAll() -> [Int] { queue.removeAll() }
  }

  private let queue = Shared()

  @Test func givesBackInOrder() {
    #expect(queue.isEmpty && queue.popFirst() == nil)
    for value in 1...3 { queue.append(value) }
    #expect(!queue.isEmpty && queue.count == 3)
    #expect([queue.popFirst(), queue.popFirst(), queue.popFirst(), queue.popFirst()] == [1, 2, 3, nil])
    #expect(queue.isEmpty && queue.count == 0)
  }

  /// Its ring turns and grows at every possible position.
  @Test func doesWhatAnArrayDoes() {
    var model: [Int] = []
    var random = SystemRandomNumberGenerator()
    for value in 0..<20_000 {
      let grows = model.count < 3 || Int.random(in: 0..<(value / 500 % 2 == 0 ? 3 : 5), using: &random) < 2
      if grows {
        queue.append(value)
        model.append(value)
      } else if queue.popFirst() != model.removeFirst() {
        Issue.record("another element came out than went in")
      }
      if queue.count != model.count { Issue.record("the count is wrong") }
    }
    #expect(queue.removeAll() == model)
    #expect(queue.isEmpty && queue.popFirst() == nil)
  }

  @Test func isUsedAgainAfterRemovingAll() {
    #expect(queue.removeAll() == [])
    for value in 1...9 { queue.append(value) }
    _ = queue.popFirst()
    #expect(queue.removeAll() == Array(2...9))
    queue.append(10)
    #expect(queue.removeAll() == [10])
  }

  @Test func staysWithinItsMemory() {
    for value in 0..<4 { queue.append(value) }
    let size = queue.size
    for value in 4..<1000 {
      _ = queue.popFirst()
      queue.append(value)
    }
    #expect(queue.size == size)
    #expect(queue.removeAll() == [996, 997, 998, 999])
  }

  @Test func letsGoOfWhatItGivesBack() {
    let lifetimes = LifetimeTracker()
    var queue = Queue<LifetimeToken>()
    for _ in 0..<3 { queue.append(lifetimes.token()) }
    queue.popFirst()?.keep()
    #expect(lifetimes.liveCount == 2)
    _ = queue.removeAll()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func copiesAreApart() {
    var queue = Queue<Int>()
    queue.append(1)
    var copy = queue
    copy.append(2)
    let elements = (queue.removeAll(), copy.removeAll())
    #expect(elements.0 == [1])
    #expect(elements.1 == [1, 2])
  }
}
