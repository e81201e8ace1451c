// A year of temperatures as a stream.
//
//     seattle [--frost DEGREES] [FILE]     read FILE
//     seattle [--frost DEGREES] --live     read standard input, as it arrives
//
// Lines are read when the subscriber requests them, and it requests a day at a time. ../../../README.md
// describes the output.

@preconcurrency import Glibc
import Streams

/// The options of the command line.
struct Arguments {
  var path: String? = "Examples/data/seattle-temps.csv"
  var limit = 4.0

  init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    var isChosen = false
    while let argument = rest.popFirst() {
      if argument == "--frost" {
        guard let degrees = rest.popFirst().flatMap(Double.init) else { return nil }
        limit = degrees
      } else {
        guard !isChosen, argument == "--live" || !argument.hasPrefix("-") else { return nil }
        path = argument == "--live" ? nil : argument
        isChosen = true
      }
    }
  }
}

func run(_ arguments: Arguments) -> Int32 {
  if arguments.path == nil { setvbuf(stdout, nil, _IOLBF, Int(BUFSIZ)) }
  print("date           min    mean     max  °C")

  // The subject begins with a reading above every limit, which dropFirst removes again.
  let limit = arguments.limit
  let readings = CurrentValueSubject<Reading, Never>(Reading(time: "", degrees: .infinity))
  var alerted = 0
  let frost =
    readings
    .removeDuplicates { ($0.degrees < limit) == ($1.degrees < limit) }
    .dropFirst()
    .sink { reading in
      alerted += 1
      let change = reading.degrees < limit ? "begins" : "ends"
      print("\(reading.time)  frost \(change), \(format("%.1f", reading.degrees)) °C")
    }

  var line = 0
  var isGood = true
  let report = Report(passingOnTo: readings)
  Lines(path: arguments.path)
    .compactMap { text -> Reading? in
      line += 1
      if text.isEmpty || (line == 1 && text.hasPrefix("date")) { return nil }
      if let reading = Reading(line: text) { return reading }
      writeError("line \(line) is not a reading")
      isGood = false
      return nil
    }
    .map(\.inCelsius)
    .subscribe(report)

  frost.cancel()
  print("requested \(report.requested), delivered \(report.delivered), alerted \(alerted)")
  return isGood && !report.hasFailed ? EXIT_SUCCESS : EXIT_FAILURE
}

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
  fputs("usage: seattle [--frost DEGREES] [FILE | --live]\n", stderr)
  exit(2)
}
exit(run(arguments))
