import Streams
import StreamsTesting

/// Operators with a scheduler. What a rule waits is ten seconds.
extension Entry {
  static let timed: [Entry] = [
    Entry(
      "debounce", except: [.boundedRecursion: "of a stream that ends at once nothing is left"]
    ) { $0.source().debounce(for: 1, scheduler: $0.scheduler) }
    .runs("debounce") { $0.debounce(for: $1.time, scheduler: $1.scheduler) },
    Entry(
      "debounce with one timer", except: [.boundedRecursion: "of a stream that ends at once nothing is left"]
    ) { $0.source().debounce(for: 1, scheduler: HandingOver(clock: $0.scheduler, handover: .together)) },
    Entry("throttle(latest: true)") { $0.source().throttle(for: 1, scheduler: $0.scheduler, latest: true) },
    Entry("throttle(latest: false)") { $0.source().throttle(for: 1, scheduler: $0.scheduler, latest: false) },
    Entry("delay") { $0.source().delay(for: 1, scheduler: $0.scheduler) },
    Entry("timeout with one timer") {
      $0.source().timeout(3600, scheduler: HandingOver(clock: $0.scheduler, handover: .together))
    },
    Entry("timeout") { $0.source().timeout(3600, scheduler: $0.scheduler) },
    Entry("timeout with an error") { bench in
      bench.source().timeout(3600, scheduler: bench.scheduler, customError: bench.tracked { TestFailure() })
    },
    Entry("measureInterval") { $0.source().measureInterval(using: $0.scheduler) },
    Entry("receive(on:)") { $0.source().receive(on: $0.scheduler) },
    Entry("receive(on: ImmediateScheduler)") { $0.source().receive(on: ImmediateScheduler.shared) },
    Entry("receive(on:) with handovers") {
      $0.source().receive(on: HandingOver(clock: $0.scheduler, handover: .together))
    },
    Entry("subscribe(on:)") { $0.source().subscribe(on: $0.scheduler) },
    Entry("collect(byTime)") { $0.source().collect(.byTime($0.scheduler, 5)) },
    Entry(
      "collect(byTimeOrCount)",
      except: [.returnedDemandAddsUp: "passes on only what is returned for arrays that were full"]
    ) { $0.source().collect(.byTimeOrCount($0.scheduler, 5, 3)) },
  ]
}
