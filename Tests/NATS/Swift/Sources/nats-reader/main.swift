// Reads and acknowledges messages as fast as it can, and prints how many a second: nats-reader SERVER STREAM CONSUMER COUNT.

@preconcurrency import Glibc
import Streams
import StreamsNATS

func end(_ why: String) -> Never {
  fputs("reader: \(why)\n", stderr)
  _exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let last = Int(arguments[4]) else {
  end("nats-reader SERVER STREAM CONSUMER COUNT")
}

func read() throws {
  let connection = try Connection(servers: arguments[1])
  try connection.flush()
  var consumer = Consumer(arguments[2], durable: arguments[3])
  consumer.window = 1000
  let clock = ContinuousClock()
  let start = clock.now
  var count = 0
  let messages = connection.consume(consumer).sink(receiveCompletion: { end("\($0)") }) { _ in
    count += 1
    guard count == last else { return }
    print(Double(last) / ((clock.now - start) / .seconds(1)))
    fflush(stdout)
    _exit(0)
  }
  withExtendedLifetime((connection, messages)) { while true { pause() } }
}

do {
  try read()
} catch {
  end("\(error)")
}
