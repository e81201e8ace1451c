public import Foundation
public import Streams

extension NotificationCenter {
  /// A publisher of the notifications of a center.
  ///
  /// It observes the center for each subscriber, sends what is demanded on the thread that posts it, and
  /// never completes. Cancelling ends the observation.
  public struct Publisher: Streams.Publisher {
    /// The values are notifications.
    public typealias Output = Notification
    /// It cannot fail.
    public typealias Failure = Never

    /// The center.
    public let center: NotificationCenter
    /// The name of the notifications to send.
    public let name: Notification.Name
    /// The object whose notifications are sent; nil for those of any.
    public let object: AnyObject?

    /// Makes the publisher that `publisher(for:object:)` returns.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Begins to observe the center on behalf of `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      NotificationSubscription(subscriber, center: center, name: name, object: object).greet(subscriber)
    }
  }

  /// A publisher of this center's notifications.
  ///
  /// A notification for which there is no demand is lost.
  ///
  ///     let ticket = NotificationCenter.default.publisher(for: .NSSystemClockDidChange)
  ///       .sink { _ in redraw() }
  ///
  /// - Parameters:
  ///   - name: The name of the notifications to send.
  ///   - object: The object whose notifications are sent; nil for those of any.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }
}

extension NotificationCenter.Publisher: Equatable {
  /// Whether both send the same notifications: of one center, name and object.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.center == rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}

/// Observes the center until it is cancelled or released: the center does not keep it.
private final class NotificationSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
  fileprivate struct State {
    var downstream: (any Subscriber<Notification, Never>)?
    var center: NotificationCenter?
    var object: AnyObject?
    var token: (any NSObjectProtocol)?
    var demand = Subscribers.Demand.none
  }

  private let name: Notification.Name
  private let state: Lock<State>
  private let serializer = Serializer()

  init(
    _ downstream: any Subscriber<Notification, Never>, center: NotificationCenter, name: Notification.Name,
    object: AnyObject?
  ) {
    self.name = name
    state = Lock(State(downstream: downstream, center: center, object: object))
    let token = center.addObserver(forName: name, object: object, queue: nil) { [weak self] in
      self?.receive($0)
    }
    state.withLock { $0.token = token }
  }

  deinit { cancel() }

  /// Gives the subscriber its subscription; a notification that is posted meanwhile comes after that.
  func greet(_ subscriber: any Subscriber<Notification, Never>) {
    serializer.perform { subscriber.receive(subscription: self) }
  }

  private func receive(_ notification: Notification) {
    serializer.perform { [self] in
      guard let downstream = state.withLock({ $0.spend() }) else { return }
      request(downstream.receive(notification))
    }
  }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { if $0.downstream != nil { $0.demand += demand } }
  }

  func cancel() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    if let center = old.center, let token = old.token { center.removeObserver(token) }
  }

  var description: String { "NotificationCenter Observer" }
  var playgroundDescription: Any { description }
  var customMirror: Mirror {
    let state = state.withLock { $0 }
    return Mirror(
      self,
      children: [
        "center": state.center as Any, "name": name, "object": state.object as Any, "demand": state.demand,
      ])
  }
}

extension NotificationSubscription.State {
  /// Takes the demand for one notification. Returns nil if there is none.
  fileprivate mutating func spend() -> (any Subscriber<Notification, Never>)? {
    guard demand > 0 else { return nil }
    demand -= 1
    return downstream
  }
}
