import CStreams
import Streams
import StreamsSchedulers

/// Hears of an action that a custom scheduler will not run.
final class Rejection: @unchecked Sendable {
  let occurred = PassthroughSubject<Void, Never>()
  private let first = Lock<StreamError?>(nil)

  /// What follows the values: the failure, if there is one.
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
    // Releases the subscription, which knows the scheduler, which knows this.
    occurred.send(completion: .finished)
  }
}

extension StreamError {
  /// The failure of a stream whose scheduler does not say why it rejects an action.
  static var rejected: StreamError {
    StreamError(status: STREAMS_CALLBACK_FAILED, "the scheduler has rejected an action")
  }
}

/// A custom scheduler as one subscription has it, which hears of what is rejected.
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

  /// The same clock, telling of what is rejected.
  func reporting(to rejection: Rejection) -> SchedulerClock {
    guard let custom = scheduler as? CustomScheduler else { return self }
    return replacing(RejectingScheduler(custom, rejection))
  }

  /// What `make` makes of the clock, for one subscription: it fails when an action is rejected that waits for it.
  func failing(_ make: (SchedulerClock) -> ValuePublisher) -> ValuePublisher {
    let rejection = Rejection()
    // What is empty gives a subscription at once, which may otherwise be what the scheduler is to do.
    return Empty(outputType: Value.self, failureType: StreamError.self)
      .append(make(reporting(to: rejection)))
      .prefix(untilOutputFrom: rejection.occurred.setFailureType(to: StreamError.self))
      .append(Deferred { rejection.ending })
      .eraseToAnyPublisher()
  }
}
