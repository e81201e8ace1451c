// Measures Streams beside OpenCombine, in one process, in interleaved runs; prints JSON.
//
//     bench [--rounds N] [--threaded] [--loop SIDE CALLS] [ROW ...]
//
// Rows are chosen by a part of their name. With --threaded the process has a second thread, which sleeps: locks then
// need atomic operations. --loop runs one side (streams or opencombine) without measuring, for a profiler.
import Glibc

var arguments = CommandLine.arguments.dropFirst()
var rounds = 11
var loop: (side: String, calls: Int)?
var names: [String] = []
while let argument = arguments.popFirst() {
  switch argument {
  case "--rounds": rounds = arguments.popFirst().flatMap { Int($0) } ?? rounds
  case "--threaded":
    var thread = pthread_t()
    pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
  case "--loop":
    loop = (arguments.popFirst() ?? "streams", arguments.popFirst().flatMap { Int($0) } ?? 1_000_000)
  default: names.append(argument)
  }
}
let rows = Row.allCases.filter { row in
  names.isEmpty || names.contains { row.rawValue == $0 || "\(row)" == $0 }
}

if let loop {
  for row in rows {
    let pipeline = loop.side == "streams" ? StreamsRows.pipeline(row) : OpenCombineRows.pipeline(row)
    pipeline?.run(loop.calls)
  }
  exit(0)
}

var measurements = rows.compactMap(Measurement.init)
for _ in 0..<max(rounds, 1) {
  for index in measurements.indices { measurements[index].measure() }
}
print(report(measurements, rounds: rounds))
