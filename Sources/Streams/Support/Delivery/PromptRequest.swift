import StreamsShims
import Synchronization

/// A request that has reached the sources when it returns.
///
/// Any other request that finds another thread at work is left to that, and what the requesting thread sends before that
/// is through is not demanded yet. That must not happen to whoever has just subscribed and demands everything: so its
/// request may wait in the operators that were made while it subscribed. Requests that the user's code makes meanwhile, to
/// other streams, do not.
@usableFromInline
struct PromptRequest {
  private static let last = Atomic<UInt32>(0)

  /// The number of the subscription; 0 if it has none.
  private let number: UInt32

  private init(_ number: UInt32) { self.number = number }

  /// For an operator that is being made: the request for which it waits.
  @usableFromInline
  static var ofSubscription: PromptRequest { PromptRequest(streams_subscribing()) }

  /// Subscribes to an upstream. Returns the request for which the operators wait that are made meanwhile.
  static func whileSubscribing(_ body: () -> Void) -> PromptRequest {
    let (number, outer) = (last.wrappingAdd(1, ordering: .relaxed).newValue, streams_subscribing())
    streams_set_subscribing(number)
    body()
    streams_set_subscribing(outer)
    return PromptRequest(number)
  }

  /// Makes the requests of `body` prompt ones.
  func make(_ body: () -> Void) {
    let outer = streams_requesting_for()
    streams_set_requesting_for(number)
    body()
    streams_set_requesting_for(outer)
  }

  /// Whether the calling thread is making this request.
  var isBeingMade: Bool { _slowPath(streams_requesting_for() != 0) && streams_requesting_for() == number }
}
