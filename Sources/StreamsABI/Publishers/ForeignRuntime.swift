import CStreams
import Streams
import StreamsShims
import Synchronization

/// What a layer above adds for functions of a managed runtime, which the C layer sees as C functions otherwise.
///
/// As long as nobody is there, everything goes by way of the C functions.
class ForeignRuntime {
  /// Where it is; 0 as long as there is none. It is set once, and never released.
  private static let place = Atomic<UInt>(0)

  static var current: ForeignRuntime? {
    UnsafeRawPointer(bitPattern: place.load(ordering: .acquiring)).map {
      Unmanaged.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Takes part from now on.
  final func install() {
    Self.place.store(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()), ordering: .releasing)
  }

  /// The callbacks of a subscriber whose functions are the runtime's; nil if they are not.
  func callbacks(of subscriber: streams_subscriber) -> SubscriberCallbacks? { nil }

  /// Runs what subscribes a subscriber.
  func subscribing(_ subscriber: SubscriberCallbacks, _ body: () -> Void) { body() }

  /// The steps up to the last, if all are functions of one runtime.
  func steps(upTo last: Step) -> ForeignSteps? { nil }

  /// What a runtime's signal handlers have raised, for streams that may go round without a call of its functions.
  func interruption() -> StreamError? { nil }

  /// In what this thread runs the runtime's functions; nil if there is nothing to it.
  func context() -> ForeignContext? { nil }
}

/// In what a runtime's functions run, as where a stream was subscribed to.
class ForeignContext: @unchecked Sendable {
  /// Runs what calls such functions.
  func run(_ action: () -> Void) { action() }
}

/// A reference of a runtime's that is not strong.
protocol ForeignReference: AnyObject {
  /// What keeps the object that it refers to; nil if that has gone.
  func kept() -> (any AnyObject & Sendable)?
}
