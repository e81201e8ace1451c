import Streams
import StreamsSchedulers
import StreamsTesting
import Testing

@Suite struct MonotonicSchedulerTests {
  private let frames = Frames()

  @Test func isASchedulerForOperators() {
    let subject = PassthroughSubject<Int, Never>()
    var debounced: [Int] = []
    var delayed: [Int] = []
    var collected: [[Int]] = []
    let cancellables = [
      subject.debounce(for: 1, scheduler: frames).sink { debounced.append($0) },
      subject.delay(for: 2, scheduler: frames).sink { delayed.append($0) },
      subject.collect(.byTime(frames, 3)).sink { collected.append($0) },
    ]
    for value in 1...3 {
      subject.send(value)
      frames.advance(by: .milliseconds(600))
    }
    frames.advance(by: 3)
    #expect(debounced == [3])
    #expect(delayed == [1, 2, 3])
    #expect(collected == [[1, 2, 3]])
    for cancellable in cancellables { cancellable.cancel() }
    #expect(frames.isIdle)
  }

  @Test func repeatsAtTheTimesThatHaveNotPassed() {
    var times: [Int] = []
    let token = frames.schedule(after: .zero.advanced(by: 1), interval: 2) { [frames] in
      times.append(frames.now.nanoseconds / 1_000_000_000)
      if times.count == 2 { frames.now = frames.now.advanced(by: 5) }
    }
    frames.advance(by: 12)
    token.cancel()
    #expect(times == [1, 3, 9, 11])
    #expect(frames.isIdle)
  }

  @Test func letsGoOfARepeatedActionThatIsCancelledInItself() {
    let lifetimes = LifetimeTracker()
    var token: (any Cancellable)?
    token = frames.schedule(after: .zero, interval: 1) { [token = lifetimes.token()] in token.keep() }
    frames.advance(by: 2)
    #expect(lifetimes.liveCount == 1)
    frames.schedule { token?.cancel() }
    frames.advance(by: 0)
    #expect(lifetimes.liveCount == 0 && frames.isIdle)
    token = nil
  }
}
