import StreamsTesting
import Testing

@testable import StreamsSchedulers

@Suite struct TimerQueueTests {
  var queue = TimerQueue<Int>()

  func at(_ nanoseconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

  @Test mutating func givesWhatIsDueInOrder() {
    for (action, time) in [(1, 30), (2, 10), (3, 20), (4, 10)] { _ = queue.insert(action, at: at(time)) }
    _ = queue.insert(5, at: at(10), first: true)
    #expect(queue.nextTime == at(10))
    #expect(queue.popFirst(by: at(9)) == nil)
    #expect([at(10), at(10), at(10)].compactMap { queue.popFirst(by: $0)?.action } == [5, 2, 4])
    #expect(queue.popFirst(by: at(10)) == nil)
    #expect([at(99), at(99)].compactMap { queue.popFirst(by: $0)?.action } == [3, 1])
    #expect(queue.count == 0 && queue.nextTime == nil)
  }

  @Test mutating func whatIsDueIsThereUntilItIsTakenOut() throws {
    _ = queue.insert(1, at: at(10))
    let later = queue.insert(2, at: at(20))
    let expired = queue.expireFirst(by: at(10))
    let due = try #require(expired)
    #expect(queue.expireFirst(by: at(10)) == nil)
    #expect(queue.nextTime == at(20) && queue.count == 2)
    #expect(queue[due] == 1 && queue[later] == 2)
    #expect(queue.contains(due) && queue.contains(later))
    #expect(queue.remove(due) == 1)
    #expect(queue[due] == nil && queue.remove(due) == nil && !queue.contains(due))
    #expect(queue.remove(later) == 2)
    #expect(queue.count == 0 && queue.nextTime == nil)
  }

  /// Random use, compared with a list.
  @Test(arguments: 0..<20) func doesWhatAListWouldDo(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    var queue = TimerQueue<Int>()
    var model: [(time: Int, action: Int, scheduled: ScheduledAction)] = []
    var gone: [ScheduledAction] = []
    for action in 0..<3000 {
      switch random.next() % 8 {
      case 0...3:
        let time = Int(random.next() % 100)
        let place = model.firstIndex { $0.time > time } ?? model.count
        model.insert((time, action, queue.insert(action, at: at(time))), at: place)
      case 4, 5:
        guard let chosen = model.indices.randomElement(using: &random) else { continue }
        let removed = model.remove(at: chosen)
        gone.append(removed.scheduled)
        #expect(queue.remove(removed.scheduled) == removed.action)
      case 6:
        let limit = Int(random.next() % 100)
        let due = queue.popFirst(by: at(limit))
        guard let first = model.first, first.time <= limit else {
          #expect(due == nil)
          continue
        }
        #expect(due?.action == first.action && due?.time == at(first.time))
        gone.append(model.removeFirst().scheduled)
      default:
        if let old = gone.randomElement(using: &random) { #expect(queue.remove(old) == nil) }
      }
      #expect(queue.count == model.count && queue.nextTime?.nanoseconds == model.first?.time)
    }
  }

  @Test mutating func letsGoOfWhatIsCancelledAtOnce() {
    let lifetimes = LifetimeTracker()
    var queue = TimerQueue<LifetimeToken>()
    let scheduled = (0..<2000).map { queue.insert(lifetimes.token(), at: at($0 % 7)) }
    for (index, each) in scheduled.enumerated() {
      _ = queue.remove(each)
      #expect(lifetimes.liveCount == 1999 - index)
    }
    let other = queue.insert(lifetimes.token(), at: at(1))
    #expect(scheduled.allSatisfy { queue.remove($0) == nil })
    #expect(queue.remove(other) != nil)
  }
}
