public import Streams

/// Some successive values of a publisher.
///
/// It is what `window` sends. It has one subscriber; any other one finishes at once. Share it for more.
public struct WindowPublisher<Output, Failure: Error>: Publisher {
  private let claim: OutletClaim<Output, Failure>

  init(_ outlet: Outlet<Output, Failure>) { claim = OutletClaim(outlet) }

  /// Attaches `subscriber`, if it is the first.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    claim.attach(Downstream(subscriber))
  }
}

/// The subscriber to a publisher that is divided into windows.
///
/// Which windows there are is settled before anybody is told anything: whoever is told a window's last value, or its end, and
/// sends another value finds the next window.
class WindowInner<Input, Failure: Error>: FanOut<Input, WindowPublisher<Input, Failure>, Failure> {
  /// The open windows, the oldest first. In turn.
  private let windows = Cell<[Outlet<Input, Failure>]>([])
  /// The latest window, until it has been sent. In turn.
  private let unsent = Cell<Outlet<Input, Failure>?>(nil)

  /// Opens a window, which nobody gets before `sendWindow()`.
  final func open() {
    guard let outlet = makeInner() else { return }
    windows.value.append(outlet)
    unsent.value = outlet
  }

  /// Sends the window that has been opened, unless that has been done.
  final func sendWindow() {
    guard let outlet = unsent.value.take(), let outer else { return }
    withUnsafePointer(to: WindowPublisher(outlet)) { _ = outer.send(one($0)) }
  }

  /// Sends values to windows.
  final func send(_ batch: UnsafeBufferPointer<Input>, to windows: [Outlet<Input, Failure>]) -> Int {
    if windows.isEmpty { return batch.count }
    if windows.count > 1 { hold((windows.count - 1) * batch.count) }
    // The new one first: nobody is told of it yet, and what is sent meanwhile follows.
    let new = unsent.value
    var gone = 0
    if let new, windows.last === new { gone += new.send(batch) }
    for window in windows where window !== new { gone += window.send(batch) }
    return gone
  }

  /// Takes out the window that is to finish.
  final func takeOldest() -> Outlet<Input, Failure>? {
    windows.value.isEmpty ? nil : windows.value.removeFirst()
  }

  override final var inner: [Outlet<Input, Failure>] { windows.value }

  override final func takeInner() -> [Outlet<Input, Failure>] { exchange(&windows.value, with: []) }
}
