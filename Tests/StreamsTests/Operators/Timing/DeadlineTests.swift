import StreamsTesting
import Testing

@testable import Streams

@Suite struct DeadlineTests {
  private enum Stage: CaseIterable { case idle, starting, running, over }

  private func make(_ stage: Stage) -> Deadline {
    var deadline = Deadline()
    if stage == .idle { return deadline }
    check(deadline.begin(on: 1)?.generation == 1)
    if stage == .running || stage == .over { check(deadline.keep(AnyCancellable {}, for: 1)) }
    if stage == .over { check(deadline.end() != nil) }
    return deadline
  }

  @Test(arguments: Stage.allCases) private func everyEventInEveryState(_ stage: Stage) {
    var deadline = make(stage)
    let begun = deadline.begin(on: 2)
    check((begun == nil) == (stage == .over))
    check((begun?.replaced != nil) == (stage == .running))
    check(begun?.generation == (stage == .over ? nil : stage == .idle ? 1 : 2))

    deadline = make(stage)
    check(!deadline.keep(AnyCancellable {}, for: 9))
    check(deadline.keep(AnyCancellable {}, for: 1) == (stage == .starting))

    deadline = make(stage)
    let early = deadline.pass(9, on: 2)
    check(!early.isDue && early.timer == nil)
    let due = deadline.pass(1, on: 2)
    check(due.isDue == (stage == .starting || stage == .running))
    check((due.timer != nil) == (stage == .running))
    check(!deadline.pass(1, on: 2).isDue)
    check(!deadline.keep(AnyCancellable {}, for: 1))

    deadline = make(stage)
    check((deadline.end() != nil) == (stage == .running))
    check(deadline.end() == nil)
    check(deadline.begin(on: 2) == nil)
    check(!deadline.keep(AnyCancellable {}, for: 1))

    deadline = make(stage)
    check(deadline.noteRequest())
    check(!deadline.noteRequest())
  }

  /// Such as where the clock of a program runs what is due when it is asked for the time.
  @Test func anEarlierTimerThatIsDueWhileOneIsBeingStartedIsIgnored() {
    var deadline = Deadline()
    check(deadline.begin(on: 1)?.generation == 1)
    check(deadline.begin(on: 2)?.generation == 2)
    check(!deadline.pass(1, on: 2).isDue)
    check(deadline.keep(AnyCancellable {}, for: 2))
  }

  @Test func aTimerThatIsDueWhileItIsBeingStartedTraps() async {
    await #expect(processExitsWith: .failure) {
      var deadline = Deadline()
      _ = deadline.begin(on: 1)
      _ = deadline.pass(1, on: 1)
    }
  }
}
