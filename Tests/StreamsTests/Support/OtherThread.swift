import Glibc
import StreamsTesting
import TestThreads
import Testing

@testable import Streams

/// What another thread does while a signal is being delivered: it waits for its turn there, and goes on afterwards.
final class OtherThread {
  private let body: () -> Void
  private var thread: pthread_t?

  init(_ body: @escaping () -> Void) { self.body = body }

  /// To be called within a signal: starts the thread, and returns when it waits for its turn with the subscription.
  func startAndWait(for subscription: any Subscription) {
    guard thread == nil, let stream = subscription as? any TakesTurns else { return }
    thread = startThread(body)
    let isAwaited = reached { stream.isAwaited }
    #expect(isAwaited, "the other thread does not wait")
  }

  func startAndWait<Input, Failure>(for recorder: RecordingSubscriber<Input, Failure>) {
    startAndWait(for: recorder.subscriptions[0])
  }

  /// Waits until the thread is done.
  func join() {
    #expect(thread != nil, "the other thread was not started")
    if let thread { pthread_join(thread, nil) }
  }
}

/// Waits until the state is reached, for a minute at most.
func reached(_ state: () -> Bool) -> Bool {
  let limit = time(nil) + 60
  while !state() {
    if time(nil) > limit { return false }
    sched_yield()
  }
  return true
}

/// A stream that delivers in turn.
protocol TakesTurns {
  /// Whether a thread is asleep until it is its turn.
  var isAwaited: Bool { get }
}

extension Gate {
  var isAwaited: Bool { word.value & 1 != 0 }
}

extension JoinInner: TakesTurns {
  var isAwaited: Bool { delivery.serializer.gate.isAwaited }
}

extension FlatMapCore: TakesTurns {
  var isAwaited: Bool { delivery.serializer.gate.isAwaited }
}

extension SwitchToLatestCore: TakesTurns {
  var isAwaited: Bool { delivery.serializer.gate.isAwaited }
}
