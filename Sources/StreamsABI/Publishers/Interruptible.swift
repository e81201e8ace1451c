import CStreams
import Streams
import Synchronization

private let subscriptions = Atomic<UInt32>(0)

/// A publisher that may be subscribed to over and over in a run without a call of a runtime's function.
///
/// Now and then the runtime sees to its signals. What a signal's handler raises is what the subscription fails with.
struct Interruptible: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    let number = subscriptions.wrappingAdd(1, ordering: .relaxed).newValue
    if number & 1023 == 0, let error = ForeignRuntime.current?.interruption() {
      Fail(error: error).receive(subscriber: subscriber)
    } else {
      upstream.receive(subscriber: subscriber)
    }
  }
}
