import Streams

/// A tracker's names for calls, in the program's language.
package enum TrackingWords: Sendable {
  case swift
  /// The names in C, which Python uses too.
  case c

  /// In the order of `STREAMS_WATCH_SUBSCRIBE` and so on, as far as these go.
  enum Event: Int32 {
    case subscribe, subscription, value, completion, failure
    case request, cancel
    case send, sendCompletion, sendSubscription
    case drop
    case end
  }

  /// The name of the call, and the label before its argument.
  subscript(event: Event) -> (function: String, label: String) {
    switch self {
    case .swift:
      switch event {
      case .subscribe: ("receive(subscriber:)", "")
      case .subscription: ("receive(subscription:)", "")
      case .value: ("receive(_:)", "input: ")
      case .completion, .failure: ("receive(completion:)", "completion: ")
      case .request: ("request(_:)", "demand: ")
      case .cancel: ("cancel()", "")
      case .send: ("send(_:)", "value: ")
      case .sendCompletion: ("send(completion:)", "completion: ")
      case .sendSubscription: ("send(subscription:)", "")
      case .drop: ("drops", "values: ")
      case .end: ("deinit", "")
      }
    case .c:
      switch event {
      case .subscribe: ("subscribe", "")
      case .subscription: ("on_subscription", "")
      case .value: ("on_value", "value: ")
      case .completion, .failure: ("on_completion", "")
      case .request: ("request", "demand: ")
      case .cancel: ("cancel", "")
      case .send: ("send", "value: ")
      case .sendCompletion: ("send_completion", "")
      case .sendSubscription: ("on_subscription", "")
      case .drop: ("dropped", "values: ")
      case .end: ("released", "")
      }
    }
  }

  func demand(_ demand: Subscribers.Demand) -> String {
    self == .swift ? "\(demand)" : demand.max.map(String.init) ?? "unlimited"
  }

  func completion<Failure>(_ completion: Subscribers.Completion<Failure>) -> String {
    switch (self, completion) {
    case (.c, .failure(let error)): "failed: \(error)"
    default: "\(completion)"
    }
  }
}
