import CStreams
import Streams
import StreamsSchedulers

/// Notified of an action that a custom scheduler will not run.
final class Rejection: @unchecked Sendable {
  let occurred = PassthroughSubject<Void, Never>()
  private let first = Lock<StreamError?>(nil)

  /// Follows the values: the failure, if there is one.
  var ending: ValuePublisher {
    first.withLock { $0 }.map { Fail(error: $0).eraseToAnyPublisher() } ?? Empty().eraseToAnyPublisher()
  }

  func occur(_ error: StreamError) {
    let isFirst = first.withLock { first in
      defer { first = first ?? error }
      return first == nil
    }
    guard isFirst else { return }
    occurred.send()
    // Releases the subscription, which refers to the scheduler, which refers to this.
    occurred.send(completion: .finished)
  }
}

extension StreamError {
  /// The failure of a stream whose scheduler gives no reason for rejecting an action.
  static var rejected: StreamError {
    StreamError(status: STREAMS_CALLBACK_FAILED, "the scheduler has rejected an action")
  }
}

/// A custom scheduler for one subscription, which is notified of rejected actions.
private final class RejectingScheduler: MonotonicScheduler, Closable {
  typealias SchedulerTimeType = MonotonicTime
  typealias SchedulerOptions = Never

  private let scheduler: CustomScheduler
  private let rejection: Rejection

  init(_ scheduler: CustomScheduler, _ rejection: Rejection) {
    (self.scheduler, self.rejection) = (scheduler, rejection)
  }

  var now: MonotonicTime { scheduler.now }
  func schedule(options: Never?, _ action: @escaping () -> Void) {
    scheduler.schedule(action, rejection: rejection)
  }
  func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    scheduler.schedule(at: time, action, rejection: rejection)
  }
  func cancel(_ scheduled: ScheduledAction) { scheduler.cancel(scheduled) }
  func close() { scheduler.close() }
}

extension SchedulerClock {
  /// Whether the scheduler is one that can reject actions.
  var rejects: Bool { scheduler is CustomScheduler }

  /// This clock with a scheduler that reports rejected actions.
  func reporting(to rejection: Rejection) -> SchedulerClock {
    guard let custom = scheduler as? CustomScheduler else { return self }
    return replacing(RejectingScheduler(custom, rejection))
  }

  /// The publisher that `make` makes of the clock, for one subscription: it fails when one of its actions is rejected.
  func failing(_ make: (SchedulerClock) -> ValuePublisher) -> ValuePublisher {
    let rejection = Rejection()
    // `Empty` sends a subscription immediately; otherwise that might itself need the scheduler.
    return Empty(outputType: Value.self, failureType: StreamError.self)
      .append(make(reporting(to: rejection)))
      .prefix(untilOutputFrom: rejection.occurred.setFailureType(to: StreamError.self))
      .append(Deferred { rejection.ending })
      .eraseToAnyPublisher()
  }
}
