import CStreams
import Streams
import StreamsShims
import Synchronization

/// A layer above can handle the functions of a managed runtime, which are C functions to the C layer, in faster ways.
///
/// Without such a layer, everything goes through the C functions.
class ForeignRuntime {
  /// Its address; 0 while there is none. Set once, and never released.
  private static let place = Atomic<UInt>(0)

  static var current: ForeignRuntime? {
    UnsafeRawPointer(bitPattern: place.load(ordering: .acquiring)).map {
      Unmanaged.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Makes this the current runtime.
  final func install() {
    Self.place.store(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()), ordering: .releasing)
  }

  /// The callbacks of a subscriber, if its functions are the runtime's, or nil.
  func callbacks(of subscriber: streams_subscriber) -> SubscriberCallbacks? { nil }

  /// Runs code that subscribes a subscriber.
  func subscribing(_ subscriber: SubscriberCallbacks, _ body: () -> Void) { body() }

  /// The steps up to the last, if all are functions of one runtime.
  func steps(upTo last: Step) -> ForeignSteps? { nil }

  /// The error that the runtime's signal handlers have raised, for streams that may loop without a call of its functions.
  func interruption() -> StreamError? { nil }

  /// The context in which this thread runs the runtime's functions, or nil.
  func context() -> ForeignContext? { nil }
}

/// The context in which a runtime's functions run, as it was at a stream's subscription.
class ForeignContext: @unchecked Sendable {
  /// Runs code that calls such functions.
  func run(_ action: () -> Void) { action() }
}

/// A runtime's weak reference.
protocol ForeignReference: AnyObject {
  /// An object that keeps the referenced one; nil if that has gone.
  func kept() -> (any AnyObject & Sendable)?
}
