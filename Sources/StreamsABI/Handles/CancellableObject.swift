import CStreams
import Streams
import Synchronization

/// An object behind a handle that keeps a stream running. Releasing the handle cancels it.
class CancellableObject {
  func cancel() {}

  /// How many values its stream has dropped.
  var dropped: Int { 0 }
}

/// Any other cancellable, behind a handle.
final class WrappedCancellable: CancellableObject {
  /// An object of its own: the stream keeps it, and the cancellable the stream.
  private final class Drops: DropCounter {
    let count = Atomic(0)

    func drop(_ count: Int) { self.count.wrappingAdd(count, ordering: .relaxed) }
  }

  private let cancellable: any Cancellable
  private let drops = Drops()

  /// `start` starts the stream.
  init(_ start: () -> any Cancellable) {
    var started: any Cancellable = AnyCancellable {}
    drops.counting { started = start() }
    cancellable = started
  }

  override var dropped: Int { drops.count.load(ordering: .relaxed) }

  override func cancel() { cancellable.cancel() }
}

extension Kind {
  static let cancellable = HandleKind<CancellableObject>(STREAMS_KIND_CANCELLABLE)
}
