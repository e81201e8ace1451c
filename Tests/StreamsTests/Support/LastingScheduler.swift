import Streams
import StreamsTesting

/// A scheduler in virtual time whose repeated actions last until they are cancelled: releasing the token
/// that `schedule` returned is not enough.
final class LastingScheduler: ClockedScheduler {
  private final class Token: Cancellable {
    private let onCancel: () -> Void
    init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }
    func cancel() { onCancel() }
  }

  let clock = VirtualTimeScheduler()
  private var repetitions: [Int: any Cancellable] = [:]
  private var count = 0

  /// Is called with each repeated action, while that is being scheduled.
  var onRepetition: (_ action: @escaping () -> Void) -> Void = { _ in }

  /// How many repeated actions were scheduled and not cancelled.
  var repetitionCount: Int { repetitions.count }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    count += 1
    repetitions[count] = clock.schedule(after: date, interval: interval, tolerance: tolerance, action)
    onRepetition(action)
    return Token { [self, count] in repetitions[count] = nil }
  }
}
