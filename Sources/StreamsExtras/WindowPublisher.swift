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
class WindowInner<Input, Failure: Error>: FanOut<Input, WindowPublisher<Input, Failure>, Failure> {
  /// The open windows, the oldest first. In turn.
  private let windows = Cell<[Outlet<Input, Failure>]>([])

  final var isOpen: Bool { !windows.value.isEmpty }

  /// Opens a window, which may get its first value before anybody gets it.
  final func open(with first: UnsafeBufferPointer<Input>? = nil) -> Int {
    let outlet = makeInner()
    if let outlet { windows.value.append(outlet) }
    let gone = first.map(send) ?? 0
    if let outlet, let outer {
      withUnsafePointer(to: WindowPublisher(outlet)) { _ = outer.send(one($0)) }
    }
    return gone
  }

  /// Sends values to all open windows.
  final func send(_ batch: UnsafeBufferPointer<Input>) -> Int {
    let open = windows.value
    if open.isEmpty { return batch.count }
    if open.count > 1 { hold((open.count - 1) * batch.count) }
    return open.reduce(0) { $0 + $1.send(batch) }
  }

  final func closeOldest() {
    if isOpen { finish(windows.value.removeFirst()) }
  }

  override final var inner: [Outlet<Input, Failure>] { windows.value }

  override final func takeInner() -> [Outlet<Input, Failure>] { exchange(&windows.value, with: []) }
}
