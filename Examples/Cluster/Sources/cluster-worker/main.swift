// A worker: takes jobs from the consumer that it shares with others, and reports how many it has done.
//
//     worker SERVER NAME MICROSECONDS
//
// A job takes so many microseconds, in which the worker sleeps. It is acknowledged when its function has returned, so what a
// worker had when it was killed goes to another.

@preconcurrency import Glibc
import Streams
import StreamsExtras
import StreamsNATS
import StreamsSchedulers
import Synchronization

/// What the worker has done.
final class Done: Sendable {
  private let total = Atomic(0)
  private let again = Atomic(0)

  func count(_ job: Message) {
    if let delivery = job.delivery, delivery.deliveries > 1 { again.add(1, ordering: .relaxed) }
    total.add(1, ordering: .relaxed)
  }

  var report: String {
    #"{"total": \#(total.load(ordering: .relaxed)), "again": \#(again.load(ordering: .relaxed))}"#
  }
}

func fail(_ why: some Error) -> Never {
  fputs("\(why)\n", stderr)
  // Other threads are at work, so nothing is torn down.
  _exit(1)
}

func end(_ completion: Subscribers.Completion<some Error>) {
  if case .failure(let error) = completion { fail(error) }
}

func run(server: String, name: String, microseconds: UInt32) throws {
  var options = Connection.Options(servers: [server])
  options.name = name
  let connection = try Connection(options)
  let done = Done()

  let reports = Publishers.Interval(every: .milliseconds(500), first: .zero, scheduler: try SerialQueue())
    .tryMap { _ in try connection.publish(done.report, to: "stats.\(name)") }
    .sink(receiveCompletion: end, receiveValue: {})

  var consumer = Consumer("JOBS", durable: "workers")
  consumer.window = 50
  let jobs = connection.consume(consumer)
    .sink(receiveCompletion: end) { job in
      usleep(microseconds)
      done.count(job)
    }

  // It ends when whoever has started the program closes it, or is killed.
  while readLine() != nil {}
  jobs.cancel()
  reports.cancel()
  print(done.report)
  try connection.close()
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let microseconds = UInt32(arguments[3]) else {
  fputs("usage: worker SERVER NAME MICROSECONDS\n", stderr)
  exit(2)
}
do {
  try run(server: arguments[1], name: arguments[2], microseconds: microseconds)
} catch {
  fail(error)
}
