import Streams
import StreamsExtras
import StreamsTesting

/// Operators with a scheduler. What a rule waits is ten seconds.
extension Entry {
  static let timed: [Entry] = [
    Entry(
      "debounce", except: [.boundedRecursion: "of a stream that ends at once nothing is left"]
    ) { $0.source().debounce(for: 1, scheduler: $0.scheduler) }
    .runs("debounce") { $0.debounce(for: $1.time, scheduler: $1.scheduler) },
    Entry(
      "debounce with one timer",
      except: [.boundedRecursion: "of a stream that ends at once nothing is left"]
    ) { $0.source().debounce(for: 1, scheduler: HandingOver(clock: $0.scheduler, handover: .together)) },
    Entry("throttle(latest: true)") { $0.source().throttle(for: 1, scheduler: $0.scheduler, latest: true) }
      .runs("throttle") { $0.throttle(for: $1.time, scheduler: $1.scheduler, latest: $1.flag) },
    Entry("throttle(latest: false)") { $0.source().throttle(for: 1, scheduler: $0.scheduler, latest: false) },
    Entry("delay") { $0.source().delay(for: 1, scheduler: $0.scheduler) }
      .runs("delay") { $0.delay(for: $1.time, scheduler: $1.scheduler) },
    Entry("delay with one timer") {
      $0.source().delay(for: 1, scheduler: HandingOver(clock: $0.scheduler, handover: .together))
    },
    Entry("retry(_:scheduler:)") {
      $0.source().retry(Backoff(retries: 2, delay: .seconds(1)), scheduler: $0.scheduler)
    }
    .runs("retry_backoff") { upstream, given in
      upstream.retry(given.backoff, scheduler: given.scheduler) { (failure) throws(CaseFailure) in
        try given.isWorthwhile(failure)
      }
    },
    Entry("Interval", .fixed, except: [.demandAddsUp: "a number that nobody demands at its time is lost"]) {
      Publishers.Interval(every: 1, count: 6, scheduler: $0.scheduler)
    },
    Entry("timeout with one timer") {
      $0.source().timeout(3600, scheduler: HandingOver(clock: $0.scheduler, handover: .together))
    },
    Entry("timeout") { $0.source().timeout(3600, scheduler: $0.scheduler) }
      .runs("timeout") { $0.timeout($1.time, scheduler: $1.scheduler, customError: $1.failure) },
    Entry("timeout with an error") { bench in
      bench.source().timeout(3600, scheduler: bench.scheduler, customError: bench.tracked { TestFailure() })
    },
    Entry("window(byTime)", except: .hasEmptyWindows) { $0.source().window(.byTime($0.scheduler, 5)) }
      .runs("window_by_time") { upstream, given in
        upstream.window(.byTime(given.scheduler, given.time), prefetch: given.arguments[1].prefetch)
          .flatMap { $0.collect().map(JSONValue.list) }
      },
    Entry("window(byTimeOrCount)", except: .hasEmptyWindows) {
      $0.source().window(.byTimeOrCount($0.scheduler, 5, 3))
    }
    .runs("window_by_time_or_count") { upstream, given in
      upstream.window(
        .byTimeOrCount(given.scheduler, given.time, given.arguments[1].int),
        prefetch: given.arguments[2].prefetch
      ).flatMap { $0.collect().map(JSONValue.list) }
    },
    Entry("window(byTime), flattened") { $0.source().window(.byTime($0.scheduler, 5)).flatMap { $0 } },
    Entry("measureInterval") { $0.source().measureInterval(using: $0.scheduler) }
      .runs("measure_interval") { $0.measureInterval(using: $1.scheduler).map { .int($0.magnitude) } },
    Entry("receive(on:)") { $0.source().receive(on: $0.scheduler) }
      .runs("receive_on") { $0.receive(on: $1.scheduler) },
    Entry("receive(on: ImmediateScheduler)") {
      $0.source().receive(on: ImmediateScheduler.shared)
    },
    Entry("receive(on:) with handovers") {
      $0.source().receive(on: HandingOver(clock: $0.scheduler, handover: .together))
    },
    Entry("subscribe(on:)") { $0.source().subscribe(on: $0.scheduler) }
      .runs("subscribe_on") { $0.subscribe(on: $1.scheduler) },
    Entry("collect(byTime)") { $0.source().collect(.byTime($0.scheduler, 5)) }
      .runs("collect_by_time") { $0.collect(.byTime($1.scheduler, $1.time)).map(JSONValue.list) },
    Entry(
      "collect(byTimeOrCount)",
      except: [.returnedDemandAddsUp: "passes on only what is returned for arrays that were full"]
    ) { $0.source().collect(.byTimeOrCount($0.scheduler, 5, 3)) }
    .runs("collect_by_time_or_count") {
      $0.collect(.byTimeOrCount($1.scheduler, $1.time, $1.arguments[1].int)).map(JSONValue.list)
    },
  ]
}
