import Streams

/// Writes down everything that it is told of, and finds what does not belong together.
final class IntrospectionLog: _Introspection {
  enum Kind: String {
    case subscribe, subscription, value, completion, request, cancel
  }

  struct Event: Equatable, CustomStringConvertible {
    let isBeginning: Bool
    let kind: Kind
    /// The subscriber, or the subscription that is asked for something.
    let identifier: CombineIdentifier
    /// The subscription that a subscriber gets.
    var subscription: CombineIdentifier?

    var end: Event {
      Event(isBeginning: false, kind: kind, identifier: identifier, subscription: subscription)
    }
    var description: String { "\(isBeginning ? "will" : "did") \(kind) \(identifier)" }
  }

  private(set) var events: [Event] = []
  /// The subscribers that describe themselves as a recorder does.
  private(set) var recorders: Set<CombineIdentifier> = []

  /// How often something began to happen to the recorders.
  func count(_ kind: Kind) -> Int {
    events.count { $0.isBeginning && $0.kind == kind && recorders.contains($0.identifier) }
  }

  private func note(
    _ isBeginning: Bool, _ kind: Kind, _ identifier: CombineIdentifier,
    _ subscription: CombineIdentifier? = nil
  ) {
    events.append(
      Event(isBeginning: isBeginning, kind: kind, identifier: identifier, subscription: subscription))
  }

  // MARK: What happens

  func willReceive<U: Publisher, D: Subscriber>(publisher: U, subscriber: D)
  where U.Failure == D.Failure, U.Output == D.Input {
    if "\(subscriber)" == "RecordingSubscriber" { recorders.insert(subscriber.combineIdentifier) }
    note(true, .subscribe, subscriber.combineIdentifier)
  }
  func didReceive<U: Publisher, D: Subscriber>(publisher: U, subscriber: D)
  where U.Failure == D.Failure, U.Output == D.Input {
    note(false, .subscribe, subscriber.combineIdentifier)
  }
  func willReceive<D: Subscriber>(subscriber: D, subscription: any Subscription) {
    note(true, .subscription, subscriber.combineIdentifier, subscription.combineIdentifier)
  }
  func didReceive<D: Subscriber>(subscriber: D, subscription: any Subscription) {
    note(false, .subscription, subscriber.combineIdentifier, subscription.combineIdentifier)
  }
  func willReceive<D: Subscriber>(subscriber: D, input: D.Input) {
    note(true, .value, subscriber.combineIdentifier)
  }
  func didReceive<D: Subscriber>(subscriber: D, input: D.Input, resultingDemand: Subscribers.Demand) {
    note(false, .value, subscriber.combineIdentifier)
  }
  func willReceive<D: Subscriber>(subscriber: D, completion: Subscribers.Completion<D.Failure>) {
    note(true, .completion, subscriber.combineIdentifier)
  }
  func didReceive<D: Subscriber>(subscriber: D, completion: Subscribers.Completion<D.Failure>) {
    note(false, .completion, subscriber.combineIdentifier)
  }
  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    note(true, .request, subscription.combineIdentifier)
  }
  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    note(false, .request, subscription.combineIdentifier)
  }
  func willCancel(subscription: any Subscription) { note(true, .cancel, subscription.combineIdentifier) }
  func didCancel(subscription: any Subscription) { note(false, .cancel, subscription.combineIdentifier) }
}

// MARK: - What must hold

extension IntrospectionLog {
  /// What began without ending, or ended out of turn.
  var unpaired: [String] {
    var open: [Event] = []
    var findings: [String] = []
    for event in events {
      if event.isBeginning {
        open.append(event)
      } else if open.last?.end == event {
        open.removeLast()
      } else {
        findings.append("\(event) out of turn")
      }
    }
    return findings + open.map { "\($0) without an end" }
  }

  /// What happened to subscribers and subscriptions of which nothing was known.
  var unannounced: [String] {
    var subscribers: Set<CombineIdentifier> = []
    var subscriptions: Set<CombineIdentifier> = []
    return events.filter(\.isBeginning).compactMap { event in
      switch event.kind {
      case .subscribe:
        subscribers.insert(event.identifier)
        return nil
      case .subscription, .value, .completion:
        if let subscription = event.subscription { subscriptions.insert(subscription) }
        return subscribers.contains(event.identifier) ? nil : "\(event) unannounced"
      case .request, .cancel:
        return subscriptions.contains(event.identifier) ? nil : "\(event) unannounced"
      }
    }
  }
}
