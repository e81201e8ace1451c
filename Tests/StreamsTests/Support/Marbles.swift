import Streams
import StreamsSchedulers
import StreamsTesting
import Testing

/// A stream and what an operator makes of it, in marble notation. Names of several characters are lists' items.
typealias Marbles = (given: String, made: String)

/// Plays each stream to what `operate` makes of it, and compares what comes out, half a minute long.
func expectMarbles<P: Publisher>(
  _ all: [Marbles], sourceLocation: SourceLocation = #_sourceLocation,
  _ operate: (MarblePublisher<String, TestFailure>, VirtualTimeScheduler) -> P
) throws where P.Failure: Equatable {
  for (given, made) in all {
    let scheduler = VirtualTimeScheduler()
    let source = try scheduler.hot(given, error: TestFailure())
    let recorder = scheduler.record(operate(source, scheduler), for: 30)
    #expect(recorder.marbles == made, "of \(given)", sourceLocation: sourceLocation)
  }
}

/// Streams that meet, what an operator makes of them, and when it subscribes to each and leaves it.
typealias JoinedMarbles = (given: [String], made: String, spans: [String])

/// Plays the streams of each row at once to what `operate` makes of them, and compares what comes out, half a minute
/// long, and how long the operator stays with each.
func expectMarbles<P: Publisher>(
  _ all: [JoinedMarbles], sourceLocation: SourceLocation = #_sourceLocation,
  _ operate: ([MarblePublisher<String, TestFailure>]) -> P
) throws where P.Failure: Equatable {
  for (given, made, spans) in all {
    let scheduler = VirtualTimeScheduler()
    let sources = try given.map { try scheduler.hot($0, error: TestFailure()) }
    let recorder = scheduler.record(operate(sources), for: 30)
    #expect(recorder.marbles == made, "of \(given)", sourceLocation: sourceLocation)
    let found = sources.map { $0.subscriptionMarbles.first ?? "" }
    #expect(found == spans, "of \(given)", sourceLocation: sourceLocation)
  }
}
