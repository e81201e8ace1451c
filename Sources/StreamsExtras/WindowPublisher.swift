public import Streams

/// Some successive values of a publisher.
///
/// It is what `window` sends. It has one subscriber; any further one finishes immediately. Share it for more.
public struct WindowPublisher<Output, Failure: Error>: Publisher {
  @usableFromInline let claim: OutletClaim<Output, Failure>

  @inlinable
  init(_ outlet: Outlet<Output, Failure>) { claim = OutletClaim(outlet) }

  /// Attaches `subscriber`, if it is the first.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    claim.attach(Downstream(subscriber))
  }
}

/// The subscriber to a publisher that is divided into windows.
///
/// It opens and closes windows before it delivers anything: a subscriber that sends another value while it receives a window's
/// last value, or its end, finds the next window.
@usableFromInline
class WindowInner<Input, Failure: Error>: FanOut<Input, WindowPublisher<Input, Failure>, Failure> {
  /// The open windows, the oldest first. Accessed only in the serializer.
  @usableFromInline let windows = Cell<[Outlet<Input, Failure>]>([])
  /// The latest window, until it has been sent. Accessed only in the serializer.
  @usableFromInline let unsent = Cell<Outlet<Input, Failure>?>(nil)

  @usableFromInline
  override init(_ name: String, prefetch: Subscribers.Demand?) { super.init(name, prefetch: prefetch) }

  /// Opens a window, which `sendWindow()` then sends.
  @inlinable
  final func open() {
    guard let outlet = makeInner() else { return }
    windows.value.append(outlet)
    unsent.value = outlet
  }

  /// Sends the latest window, unless that has been done.
  @inlinable
  final func sendWindow() {
    guard let outlet = unsent.value.take(), let outer else { return }
    withUnsafePointer(to: WindowPublisher(outlet)) { _ = outer.send(one($0)) }
  }

  /// Sends values to windows.
  @inlinable
  final func send(_ batch: UnsafeBufferPointer<Input>, to windows: [Outlet<Input, Failure>]) -> Int {
    if windows.isEmpty { return batch.count }
    if windows.count > 1 { hold((windows.count - 1) * batch.count) }
    // The new window first: it has no subscriber yet, and values that the others' subscribers send follow in it.
    let new = unsent.value
    var gone = 0
    if let new, windows.last === new { gone += new.send(batch) }
    for window in windows where window !== new { gone += window.send(batch) }
    return gone
  }

  /// Removes and returns the window to finish.
  @inlinable
  final func takeOldest() -> Outlet<Input, Failure>? {
    windows.value.isEmpty ? nil : windows.value.removeFirst()
  }

  @inlinable override final var inner: [Outlet<Input, Failure>] { windows.value }

  @usableFromInline
  override final func takeInner() -> [Outlet<Input, Failure>] { exchange(&windows.value, with: []) }
}
