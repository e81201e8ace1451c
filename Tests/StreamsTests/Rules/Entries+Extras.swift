import Streams
import StreamsExtras

/// What Combine does not have, but for what takes a scheduler.
extension Entry {
  static let extras: [Entry] = [
    Entry("withLatestFrom") { $0.source().withLatestFrom($0.source()) }
      .runs("with_latest_from") { $0.withLatestFrom($1.other) { .list([$0, $1]) } },
    Entry("withLatestFrom with a result selector") { bench in
      bench.source().withLatestFrom(bench.source(), resultSelector: bench.tracked { $0 + $1 })
    }.runs("with_latest_from_with") { upstream, given in
      upstream.withLatestFrom(given.other) { [$0, $1] }
        .tryMap { try Functions.combine(given.arguments.last!, $0) }
    },
  ]
}
