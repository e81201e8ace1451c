import Glibc

/// One side of a row: a pipeline, how many calls a run makes, and what each run took for a value.
struct Side {
  let pipeline: Pipeline
  let calls: Int
  var nanoseconds: [Double] = []

  init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
    var calls = 16
    while Side.time({ pipeline.run(calls) }) < shortestRun { calls *= 2 }
    self.calls = calls
  }

  mutating func measure() {
    let time = Side.time { pipeline.run(calls) }
    nanoseconds.append(Double(time) / Double(calls * pipeline.valuesPerCall))
  }

  /// The time that the thread was running. What else the machine does is not in it.
  private static func time(_ body: () -> Void) -> Int {
    let start = now()
    body()
    return now() - start
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// How long a run takes at least, in nanoseconds.
let shortestRun = 20_000_000

/// A row with both of its sides.
struct Measurement {
  let row: Row
  var streams: Side
  /// What OpenCombine or, in a row that compares two ways to do something, another row takes.
  var peer: Side?
  /// That row's name.
  var peerRow: String?

  init?(_ row: Row) {
    guard let pipeline = StreamsRows.pipeline(row) else { return nil }
    self.row = row
    streams = Side(pipeline)
    if let other = row.alternative {
      (peer, peerRow) = (StreamsRows.pipeline(other).map(Side.init), other.rawValue)
    } else {
      peer = OpenCombineRows.pipeline(row).map(Side.init)
    }
  }

  mutating func measure() {
    streams.measure()
    peer?.measure()
  }
}

extension [Double] {
  var median: Double { quantile(0.5) }

  /// Half of the distance between the quartiles, as a part of the median.
  var spread: Double { (quantile(0.75) - quantile(0.25)) / 2 / median }

  private func quantile(_ part: Double) -> Double {
    let sorted = self.sorted()
    let place = part * Double(sorted.count - 1)
    let (low, high) = (sorted[Int(place)], sorted[Int(place.rounded(.up))])
    return low + (high - low) * (place - place.rounded(.down))
  }
}
