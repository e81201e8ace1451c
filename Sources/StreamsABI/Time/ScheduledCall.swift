import CStreams

/// A C function that a scheduler may call later. It is small, because there may be a million.
final class ScheduledCall {
  private let action: streams_action_fn?
  private let context: UnsafeMutableRawPointer?
  private let destroy: streams_destroy_fn?

  init(
    _ action: streams_action_fn?, _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?
  ) {
    self.action = action
    self.context = context
    self.destroy = destroy
  }

  deinit { UserCallback.releasing { destroy?(context) } }

  func run() { UserCallback.run { action?(context) } }
}
