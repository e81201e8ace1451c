import CStreams
import Streams

/// An object behind a handle that keeps a stream running. Releasing the handle cancels it.
class CancellableObject {
  func cancel() {}

  /// How many values its stream has dropped.
  var dropped: Int { 0 }
}

/// Any other cancellable, behind a handle.
final class WrappedCancellable: CancellableObject {
  private let cancellable: any Cancellable

  init(_ cancellable: any Cancellable) { self.cancellable = cancellable }

  override func cancel() { cancellable.cancel() }
}

extension Kind {
  static let cancellable = HandleKind<CancellableObject>(STREAMS_KIND_CANCELLABLE)
}
