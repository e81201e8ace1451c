import Glibc
import StreamsShims
import StreamsTesting
import Synchronization
import TestThreads
import Testing

@testable import Streams

@Suite struct SerializerTests {
  final class Shared {
    let serializer = Serializer()
    var log: [String] = []

    func run(_ signal: @escaping () -> Void) { serializer.run(signal) }
    func runNow(_ signal: @escaping () -> Void) { serializer.runNow(signal) }
    /// Whether a thread is asleep until it is its turn.
    var isAwaited: Bool { serializer.gate.word.value & 1 != 0 }
    /// Notes that the thread that is asleep has slept too often.
    func starve() {
      serializer.gate.word.atomic.pointee.bitwiseOr(UInt32(STREAMS_WORD_STARVED), ordering: .relaxed)
    }
    func enterIfFree() -> Bool { serializer.enterIfFree() }
    var isEntered: Bool { serializer.isEntered }
  }

  let shared = Shared()

  @Test func runsSignalsAtOnceAlsoFromWithinOthers() {
    shared.run { [shared] in
      shared.log.append("begin")
      #expect(shared.isEntered)
      shared.run { shared.log.append("nested") }
      shared.log.append("end")
    }
    #expect(shared.log == ["begin", "nested", "end"])
    #expect(!shared.isEntered)
  }

  /// A thread that finds another at work waits for its turn, and runs its signal itself.
  @Test func aSignalWaitsItsTurn() {
    let shared = shared
    let isAtWork = Atomic(false)
    race(
      {
        shared.run {
          isAtWork.store(true, ordering: .releasing)
          while !shared.isAwaited { sched_yield() }
          shared.log.append("first")
        }
      },
      {
        while !isAtWork.load(ordering: .acquiring) { sched_yield() }
        let thread = pthread_self()
        shared.run { shared.log.append(pthread_self() == thread ? "second" : "by another") }
        shared.log.append("and back")
      })
    #expect(shared.log == ["first", "second", "and back"])
  }

  /// Neither of two threads that wait for each other's turn would ever go on.
  @Test func aWaitThatWouldCloseACircleIsNotMade() {
    let (one, other) = (Shared(), Shared())
    let count = Atomic(0)
    func meet(_ first: Shared, _ second: Shared) {
      first.run {
        count.wrappingAdd(1, ordering: .acquiringAndReleasing)
        while count.load(ordering: .acquiring) < 2 { sched_yield() }
        second.run { second.log.append("met") }
      }
    }
    race({ meet(one, other) }, { meet(other, one) })
    #expect(one.log == ["met"])
    #expect(other.log == ["met"])
  }

  /// A thread stands in between.
  @Test func aCircleOfThreeIsNotClosedEither() {
    let all = [Shared(), Shared(), Shared()]
    for _ in 0..<200 {
      let count = Atomic(0)
      func meet(_ index: Int) {
        let next = all[(index + 1) % 3]
        all[index].run {
          count.wrappingAdd(1, ordering: .acquiringAndReleasing)
          while count.load(ordering: .acquiring) < 3 { sched_yield() }
          next.run { next.log.append("met") }
        }
      }
      race({ meet(0) }, { meet(1) }, { meet(2) })
    }
    #expect(all.map(\.log.count) == [200, 200, 200])
  }

  /// A thread that finds another at work does not wait to post, and what it posts is run by that other.
  @Test func aThreadAtWorkRunsWhatOthersPost() {
    let thread = pthread_self()
    shared.run { [shared] in
      race({
        shared.runNow { shared.log.append(pthread_self() == thread ? "for the other" : "by the other") }
        shared.runNow { shared.log.append("for the other again") }
      })
      shared.log.append("mine")
    }
    #expect(shared.log == ["mine", "for the other", "for the other again"])
  }

  /// Threads that request without pause would otherwise leave more than can be done.
  @Test func requestsThatWaitAreGrantedInOne() {
    shared.run { [shared] in
      let grant = { (demand: Subscribers.Demand) in shared.log.append("\(demand)") }
      func request(_ demand: Subscribers.Demand) { shared.serializer.enqueue(demand, of: shared, grant) }
      race(rounds: 1000, { request(.max(1)) }, { request(.max(2)) })
      shared.serializer.enqueue { shared.log.append("signal") }
      request(.max(5))
      request(.unlimited)
      #expect(shared.log.isEmpty)
    }
    #expect(shared.log == ["max(3000)", "signal", "unlimited"])
  }

  /// The one at work would never come to an end by itself.
  @Test func letsInWhoWaitsWhileWorkComesWithoutEnd() {
    let shared = shared
    let isAtWork = Atomic(false)
    let hasHadItsTurn = Atomic(false)
    let limit = time(nil) + 60
    func goOn() {
      if !hasHadItsTurn.load(ordering: .relaxed), time(nil) < limit { shared.serializer.enqueue(goOn) }
    }
    race(
      {
        shared.run {
          isAtWork.store(true, ordering: .releasing)
          while !shared.isAwaited { sched_yield() }
          goOn()
        }
      },
      {
        while !isAtWork.load(ordering: .acquiring) { sched_yield() }
        shared.run { hasHadItsTurn.store(true, ordering: .relaxed) }
      })
    #expect(time(nil) < limit)
  }

  /// Neither an action nor a release, which may take their time, comes before the work that was left with nobody else.
  @Test func whatIsLeftIsDoneBeforeActionsAndReleases() {
    shared.run { [shared] in
      shared.serializer.enqueue {
        let token = LifetimeToken { shared.log.append("release") }
        shared.serializer.enqueue { token.keep() }
        shared.serializer.afterLeaving { shared.log.append("action") }
        race({ shared.runNow { shared.log.append("left") } })
      }
    }
    #expect(shared.log == ["left", "release", "action"])
  }

  /// Work that was left while a thread was at work goes to the one that has waited long, and comes before its own.
  @Test func whoHasStarvedTakesTheWorkOver() {
    let shared = shared
    let lifetimes = LifetimeTracker()
    var thread: pthread_t?
    shared.run {
      let other = startThread {
        shared.run {
          shared.log.append("in turn")
          #expect(lifetimes.liveCount == 1)
        }
        #expect(lifetimes.liveCount == 0)
      }
      thread = other
      while !shared.isAwaited { sched_yield() }
      shared.starve()
      shared.serializer.enqueue {
        shared.serializer.enqueue { [token = lifetimes.token()] in
          token.keep()
          shared.log.append(pthread_equal(pthread_self(), other) != 0 ? "work" : "by another")
        }
      }
    }
    if let thread { pthread_join(thread, nil) }
    #expect(shared.log == ["work", "in turn"])
  }

  /// What a thread sends amid work that it has taken over comes after the signal with which it waited.
  @Test func whatIsSentAmidWorkThatWasTakenOverComesAfterWhoWaited() {
    let shared = shared
    var thread: pthread_t?
    shared.run {
      thread = startThread { shared.run { shared.log.append("waited") } }
      while !shared.isAwaited { sched_yield() }
      shared.starve()
      shared.serializer.enqueue {
        shared.serializer.enqueue {
          shared.log.append("work")
          shared.run { shared.log.append("amid work") }
        }
      }
    }
    if let thread { pthread_join(thread, nil) }
    #expect(shared.log == ["work", "waited", "amid work"])
  }

  @Test func changesAreMadeBetweenSignals() {
    shared.run { [shared] in
      shared.serializer.betweenSignals { shared.log.append("change") }
      race({ shared.serializer.betweenSignals { shared.log.append("another") } })
      shared.run { shared.log.append("from within") }
      shared.serializer.enqueue { shared.log.append("left") }
    }
    #expect(shared.log == ["from within", "change", "another", "left"])
  }

  @Test func actionsForAfterwardsFindTheGateFree() {
    shared.run { [shared] in
      shared.serializer.afterLeaving { shared.log.append("afterwards, entered: \(shared.isEntered)") }
      shared.serializer.enqueue { shared.log.append("signal") }
      shared.log.append("now")
    }
    #expect(shared.log == ["now", "signal", "afterwards, entered: false"])
  }

  /// Threads that request without pause would otherwise leave more than can be done.
  @Test func requestsForAfterwardsAreMadeInOne() {
    let (one, other) = (TestSubscription(), TestSubscription())
    shared.run { [shared] in
      for _ in 0..<3 {
        shared.serializer.enqueue { shared.serializer.afterLeaving(request: .max(2), from: one) }
      }
      shared.serializer.enqueue { shared.serializer.afterLeaving(request: .max(5), from: other) }
      shared.serializer.enqueue { shared.serializer.afterLeaving(request: .unlimited, from: one) }
    }
    #expect(one.ledger.requests == [.max(6), .unlimited])
    #expect(other.ledger.requests == [.max(5)])
  }

  @Test func anActionForAfterwardsMayRunSignals() {
    shared.run { [shared] in
      shared.serializer.afterLeaving {
        shared.run {
          shared.serializer.afterLeaving { shared.log.append("third") }
          shared.log.append("first")
        }
        shared.log.append("second")
      }
    }
    #expect(Set(shared.log) == ["first", "second", "third"])
    #expect(shared.log.first == "first")
  }

  @Test func keepsWhatIsRetiredWhileASignalRuns() {
    let lifetimes = LifetimeTracker()
    shared.serializer.retire(lifetimes.token())
    #expect(lifetimes.liveCount == 0)
    shared.run { [shared] in
      shared.serializer.retire(lifetimes.token())
      shared.run {}
      #expect(lifetimes.liveCount == 1)
    }
    #expect(lifetimes.liveCount == 0)
  }

  /// A release runs foreign code, which may come back with a signal.
  @Test func aReleaseMayRunSignals() {
    shared.run { [shared] in
      let token = LifetimeToken { shared.run { shared.log.append("from the release") } }
      shared.serializer.retire(token)
      token.keep()
      shared.log.append("now")
    }
    #expect(shared.log == ["now", "from the release"])
    #expect(!shared.isEntered)
  }

  @Test func theFastPathSaysWhenItIsBusy() {
    func run() -> String { shared.serializer.runNow({ "ran" }, busy: { "busy" }) }
    #expect(run() == "ran")
    shared.run {
      #expect(run() == "ran")
      race({ #expect(run() == "busy") })
    }
  }

  @Test func entersIfItIsFree() {
    shared.run {}
    #expect(shared.enterIfFree())
    #expect(!shared.enterIfFree())
    race({ [shared] in #expect(!shared.enterIfFree()) })
    shared.serializer.leave()
    #expect(!shared.isEntered)
  }

  @Test func runsEverySignalAndNoTwoAtOnce() {
    var count = 0
    var depth = 0
    func send() {
      shared.run {
        depth += 1
        if depth != 1 { Issue.record("two signals ran at once") }
        count += 1
        depth -= 1
      }
    }
    func sendLater() { shared.run { [shared] in shared.serializer.enqueue { count += 1 } } }
    func sendAfterwards() {
      shared.run { [shared] in shared.serializer.afterLeaving { shared.run { count += 1 } } }
    }
    race(rounds: 5000, send, send, sendLater, sendAfterwards)
    #expect(count == 20_000)
  }

  /// Whoever closes what a serializer guards sees to it that nothing more is left there.
  @Test func nothingIsLeftBehindAnEnd() {
    let shared = shared
    var isClosed = false
    func leave(_ name: String) -> Bool {
      shared.serializer.enqueue({ shared.log.append(name) }, unless: { isClosed })
    }
    func close() -> Bool {
      shared.serializer.unlessSignalsAreLeft {
        isClosed = true
        return true
      }
    }
    shared.run {
      var (isLeft, isDone) = (leave("left"), close())
      #expect(isLeft && !isDone && !isClosed)
      isDone = shared.serializer.runEarlier()
      #expect(isDone && shared.log == ["left"])
      isDone = close()
      isLeft = leave("late")
      #expect(isDone && !isLeft)
    }
    #expect(shared.log == ["left"])
  }
}
