public import Foundation
public import Streams

extension NotificationCenter {
  /// A publisher of the notifications of a center.
  ///
  /// It observes the center for each subscriber, sends notifications on demand on the thread that posts them, and never
  /// completes. Cancelling ends the observation.
  public struct Publisher: Streams.Publisher {
    /// The values are notifications.
    public typealias Output = Notification
    /// It cannot fail.
    public typealias Failure = Never

    /// The center.
    public let center: NotificationCenter
    /// The name of the notifications to send.
    public let name: Notification.Name
    /// The object whose notifications are sent; nil for any object.
    public let object: AnyObject?

    /// Makes the publisher that `publisher(for:object:)` returns.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Starts to observe the center on behalf of `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      let subscription = NotificationSubscription(
        Downstream(subscriber), center: center, name: name, object: object)
      subscription.events.handshake(subscription)
    }
  }

  /// A publisher of this center's notifications.
  ///
  /// A notification without demand is lost.
  ///
  ///     let cancellable = NotificationCenter.default.publisher(for: .NSSystemClockDidChange)
  ///       .sink { _ in redraw() }
  ///
  /// - Parameters:
  ///   - name: The name of the notifications to send.
  ///   - object: The object whose notifications are sent; nil for any object.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }
}

extension NotificationCenter.Publisher: Equatable {
  /// Whether both send the same notifications: of the same center, name and object.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.center == rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
  }
}

/// Observes the center until it is cancelled or released: the center does not keep it.
private final class NotificationSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
  private struct Observation {
    var center: NotificationCenter?
    var object: AnyObject?
    var token: (any NSObjectProtocol)?
  }

  let events: EventDelivery<Notification>
  private let name: Notification.Name
  private let observation: Lock<Observation>

  init(
    _ downstream: Downstream<Notification, Never>, center: NotificationCenter, name: Notification.Name,
    object: AnyObject?
  ) {
    events = EventDelivery(downstream)
    self.name = name
    observation = Lock(Observation(center: center, object: object))
    let token = center.addObserver(forName: name, object: object, queue: nil) { [weak self] in
      self?.events.send($0)
    }
    observation.withLock { $0.token = token }
  }

  deinit { cancel() }

  func request(_ demand: Subscribers.Demand) { events.request(demand) }

  func cancel() {
    events.cancel()
    let old = observation.withLock { observation in
      defer { observation = Observation() }
      return observation
    }
    if let center = old.center, let token = old.token { center.removeObserver(token) }
  }

  var description: String { "NotificationCenter Observer" }
  var playgroundDescription: Any { description }
  var customMirror: Mirror {
    let observation = observation.withLock { $0 }
    return Mirror(
      self,
      children: [
        "center": observation.center as Any, "name": name, "object": observation.object as Any,
        "demand": events.demand,
      ])
  }
}
