import Streams
import StreamsSchedulers

/// The scheduler behind a handle.
final class SchedulerObject {
  let virtual = VirtualTimeScheduler()

  /// Whoever could let time pass is gone, and with them what waits for it.
  deinit { ForeignCode.letGo { virtual.close() } }
}
