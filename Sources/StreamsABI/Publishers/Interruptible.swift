import CStreams
import Streams
import Synchronization

private let subscriptions = Atomic<UInt32>(0)

/// A publisher that may be subscribed to repeatedly in a loop without a call of a runtime's function.
///
/// Now and then it lets the runtime handle signals. If a signal's handler raises an error, the subscription fails with it.
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
