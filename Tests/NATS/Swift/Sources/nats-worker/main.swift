// What Tests/NATS/workers/worker.c does, in Swift: nats-worker SERVER STREAM CONSUMER FILE.

@preconcurrency import Glibc
import Streams
import StreamsNATS

func end(_ why: String) -> Never {
  fputs("worker: \(why)\n", stderr)
  // Other threads are at work, so nothing is torn down.
  _exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count == 5 else { end("nats-worker SERVER STREAM CONSUMER FILE") }
let file = open(arguments[4], O_WRONLY | O_CREAT | O_APPEND, 0o600)

/// Writes a message's line in one piece. It is acknowledged when this returns.
@Sendable func note(_ message: Message) {
  guard let delivery = message.delivery else { end("a message without metadata") }
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  let time = now.tv_sec * 1_000_000_000 + now.tv_nsec
  let line = "\(message.text) \(delivery.sequence) \(delivery.deliveries) \(time)\n"
  guard write(file, line, line.utf8.count) == line.utf8.count else { end("cannot write") }
}

var options = Connection.Options(servers: [arguments[1]])
options.reconnectWait = .milliseconds(50)
options.maxReconnects = -1
do {
  let connection = try Connection(options)
  var consumer = Consumer(arguments[2], durable: arguments[3])
  consumer.window = 100
  let messages = connection.consume(consumer)
    .sink(receiveCompletion: { end("\($0)") }, receiveValue: note)
  withExtendedLifetime((connection, messages)) { while true { pause() } }
} catch {
  end("\(error)")
}
