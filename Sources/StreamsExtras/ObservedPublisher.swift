public import Observation
public import Streams
import StreamsObservation

/// The value that a function makes of observable objects: the current one, and one after each change of what it has read.
///
/// Made for one property by `publisher(for:)` of an observable object. It never completes.
///
/// **Demand.** A subscriber that is behind on demand gets the latest value.
///
/// **Cancellation.** Nothing of it stays with the objects. The publisher keeps what the function uses.
///
/// **Threads.** The function is called, and its value sent, on the thread that subscribes, requests, or makes the change, after
/// the change. If two threads change what it reads, it is called by one after the other. When a property is read for the first
/// time while another thread sets it, that change may be missed.
///
///     @Observable final class Cart { var prices: [Int] = [] }
///
///     let cart = Cart()
///     let cancellable = ObservedPublisher { cart.prices.reduce(0, +) }.sink { print("total: \($0)") }
///     cart.prices.append(5)
///
/// The other way, `assign(to: \.title, on: song)` sets an observable object's property to what a publisher sends. The standard
/// library's `Observations` is the same as an `AsyncSequence`.
public struct ObservedPublisher<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  private let values: ObservedValues<Output>

  /// Makes a publisher of what `read` returns.
  public init(_ read: @escaping () -> Output) { values = ObservedValues(read) }

  /// Sends `subscriber` the current value and later ones.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    values.receive(subscriber: subscriber)
  }
}

extension Observable where Self: AnyObject {
  /// The property's value now and after each change, as ``ObservedPublisher`` sends it.
  ///
  ///     let cancellable = song.publisher(for: \.title).sink { print($0) }
  public func publisher<Value>(for keyPath: KeyPath<Self, Value>) -> ObservedPublisher<Value> {
    ObservedPublisher { self[keyPath: keyPath] }
  }
}
