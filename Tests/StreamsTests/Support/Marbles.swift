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
