import Testing

@testable import Streams

@Suite struct MovingDeadlineTests {
  private var deadline = MovingDeadline()

  @Test mutating func oneTimerServesManyMoves() {
    check(deadline.move(to: 10) == 1)
    check(deadline.move(to: 20) == nil)
    check(deadline.keep(7, number: 1))
    check(deadline.move(to: 30) == nil)
    check(deadline.arrive(at: 10) == .comesAgain(number: 2, at: 30))
    check(deadline.keep(8, number: 2))
    check(!deadline.hasPassed(at: 29) && deadline.hasPassed(at: 30))
    check(deadline.arrive(at: 30) == .isDue)
    check(deadline.move(to: 40) == 3)
  }

  @Test mutating func aTimerMayComeBeforeItIsKept() {
    check(deadline.move(to: 10) == 1)
    check(deadline.arrive(at: 10) == .isDue)
    check(!deadline.keep(7, number: 1))
    check(deadline.move(to: 20) == 2)
    // The first one's name comes late, and is nobody's.
    check(!deadline.keep(7, number: 1))
    check(deadline.keep(8, number: 2))
    check(deadline.stop() == 8)
  }

  @Test mutating func aTimerThatComesAgainMayComeBeforeTheFirstIsKept() {
    check(deadline.move(to: 10) == 1)
    check(deadline.move(to: 20) == nil)
    check(deadline.arrive(at: 10) == .comesAgain(number: 2, at: 20))
    check(deadline.keep(8, number: 2))
    check(!deadline.keep(7, number: 1))
    check(deadline.stop() == 8)
  }

  @Test mutating func whatComesAfterTheEndMovesNothing() {
    check(deadline.move(to: 10) == 1)
    check(deadline.keep(7, number: 1))
    check(deadline.end() == 7)
    check(deadline.move(to: 20) == nil && !deadline.hasPassed(at: 20))
  }

  @Test mutating func nothingIsDueOnceItIsStopped() {
    check(deadline.stop() == nil && !deadline.hasPassed(at: .max))
    check(deadline.move(to: 10) == 1)
    check(deadline.stop() == nil)
    check(!deadline.keep(7, number: 1))
    check(deadline.arrive(at: 10) == .isNotWanted)
    check(deadline.move(to: 10) == 2 && deadline.keep(8, number: 2))
    check(deadline.stop() == 8 && deadline.stop() == nil)
    check(deadline.arrive(at: 10) == .isNotWanted)
  }
}
