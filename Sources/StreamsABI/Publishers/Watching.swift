import CStreams
import Streams

/// Event handlers written in C; `destroy` follows when no subscription uses them any more.
final class EventHandlers {
  let callbacks: streams_event_handlers

  init(_ callbacks: streams_event_handlers) { self.callbacks = callbacks }

  deinit { UserCallback.releasing { callbacks.destroy?(callbacks.context) } }
}

/// Combine's `handleEvents` with C handlers.
struct Watching: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let upstream: ValuePublisher
  let events: EventHandlers

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    let watch = Watch(events)
    let callbacks = events.callbacks
    // A closure costs something for each value, so there is one only where there is a callback.
    upstream.handleEvents(
      receiveSubscription: { watch.receive(subscription: $0) },
      receiveOutput: callbacks.on_value.map { callback in { watch.receive($0, callback) } },
      receiveCompletion: { watch.receive(completion: $0) },
      receiveCancel: { watch.receiveCancel() },
      receiveRequest: callbacks.on_request.map { callback in { watch.receive($0, callback) } }
    ).subscribe(subscriber)
  }
}

/// The handlers of one subscription, and the subscription that they see.
private final class Watch {
  private let events: EventHandlers
  /// The upstream's subscription until the end: a handle that C keeps must not keep the stream.
  private let watched = SubscriptionObject.watched()

  init(_ events: EventHandlers) { self.events = events }

  private var callbacks: streams_event_handlers { events.callbacks }
  private var call: Call { Call("streams_handle_events") }

  func receive(subscription: any Subscription) {
    guard let callback = callbacks.on_subscription, watched.accept(subscription) else { return }
    call.lending(watched, Kind.subscription) { handle in
      UserCallback.run { callback(callbacks.context, handle) }
    }
  }

  func receive(_ value: Value, _ callback: (UnsafeMutableRawPointer?, UnsafePointer<streams_value>?) -> Void)
  {
    withUnsafePointer(to: value) { value in UserCallback.run { callback(callbacks.context, value.asC) } }
  }

  func receive(completion: Subscribers.Completion<StreamError>) {
    let released = watched.releaseSubscription()
    guard let callback = callbacks.on_completion else { return }
    call.lending(completion) { error in UserCallback.run { callback(callbacks.context, error) } }
    withExtendedLifetime(released) {}
  }

  func receiveCancel() {
    let released = watched.releaseSubscription()
    if let callback = callbacks.on_cancel { UserCallback.run { callback(callbacks.context) } }
    withExtendedLifetime(released) {}
  }

  func receive(_ demand: Subscribers.Demand, _ callback: (UnsafeMutableRawPointer?, UInt64) -> Void) {
    UserCallback.run { callback(callbacks.context, demand.c) }
  }
}
