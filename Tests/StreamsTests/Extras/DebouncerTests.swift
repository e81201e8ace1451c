import StreamsExtras
import StreamsSchedulers
import StreamsTesting
import Testing

@testable import Streams

@Suite struct DebouncerTests {
  let clock = VirtualTimeScheduler()

  @Test func runsTheLastOfActionsInQuickSuccession() {
    var log: [Int] = []
    let debouncer = Debouncer(for: .nanoseconds(10), scheduler: clock)
    for action in 1...3 {
      debouncer.execute { log.append(action) }
      clock.advance(by: .nanoseconds(5))
    }
    #expect(log == [])
    clock.run()
    debouncer.execute { log.append(4) }
    clock.run()
    #expect(log == [3, 4])
  }

  @Test func whatWaitsIsForgottenWithIt() {
    let lifetimes = LifetimeTracker()
    var count = 0
    var debouncer: Debouncer? = Debouncer(for: 1, scheduler: clock)
    debouncer?.execute { [token = lifetimes.token()] in
      token.keep()
      count += 1
    }
    debouncer = nil
    clock.run()
    let throttler = Throttler(for: 1, scheduler: clock)
    throttler.cancel()
    throttler.execute { [token = lifetimes.token()] in
      token.keep()
      count += 1
    }
    clock.run()
    #expect(count == 0 && lifetimes.liveCount == 0)
  }

  @Test func anActionMayGiveAnother() {
    var log: [Int] = []
    let debouncer = Debouncer(for: .nanoseconds(10), scheduler: clock)
    debouncer.execute {
      log.append(1)
      debouncer.execute { log.append(2) }
    }
    clock.run()
    #expect(log == [1, 2] && clock.now.nanoseconds == 20)
  }
}
