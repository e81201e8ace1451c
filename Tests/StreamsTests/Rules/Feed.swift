import Streams
import StreamsTesting
import Synchronization

/// An upstream in the hand of a rule: one subscription, or a subject.
protocol Feed: AnyObject {
  /// Whether signals to it are pointless: it has been cancelled or has ended.
  var isOver: Bool { get }
  /// What was asked of it, if it can tell.
  var ledger: DemandLedger? { get }
  /// Sends a value if there is demand for it.
  func send(_ value: Value)
  /// Sends a value, demanded or not, even after the end.
  func force(_ value: Value)
  /// Sends as many of the values as there is demand for, in one call.
  func send(batch: [Value])
  func finish()
  /// Fails, or finishes if it cannot fail.
  func fail()
  /// The value that it keeps, if it keeps one.
  var latest: Value? { get }
  /// Sends one more subscription, if that is possible.
  func send(subscription: any Subscription)
}

extension Feed {
  var latest: Value? { nil }
}

/// One subscription to a publisher that does what it is told to, well-behaved or not.
final class ScriptedFeed<Failure: Error>: Feed {
  let publisher = TestPublisher<Value, Failure>()
  private let failure: Failure?
  private let token: LifetimeToken
  private let hasEnded = Atomic(false)

  /// `token` lives as long as the subscription or this source.
  init(failure: Failure?, token: LifetimeToken) {
    self.failure = failure
    self.token = token
  }

  /// Reports requests and cancellations to the bench.
  func report(to bench: Bench) {
    publisher.onRequest = { [weak self, weak bench] _ in if let self { bench?.onRequest(self) } }
    publisher.onCancel = { [token, weak self, weak bench] in
      token.keep()
      if let self { bench?.onCancel(self) }
    }
  }

  var ledger: DemandLedger? { publisher.ledger }
  var isOver: Bool { hasEnded.load(ordering: .relaxed) || publisher.ledger.isCancelled }
  func send(_ value: Value) { if !isOver { publisher.sendIfDemanded(value) } }
  func force(_ value: Value) { publisher.send(value) }

  func send(batch: [Value]) {
    let demanded = batch.prefix(publisher.ledger.outstanding.max ?? .max)
    if !isOver, !demanded.isEmpty { publisher.send(batch: Array(demanded)) }
  }

  func finish() { end(.finished) }
  func fail() { end(failure.map { .failure($0) } ?? .finished) }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    hasEnded.store(true, ordering: .relaxed)
    publisher.send(completion: completion)
  }

  func send(subscription: any Subscription) { publisher.send(subscription: subscription) }
}

/// A subject, which keeps to the rules itself, whichever threads it is used from.
final class SubjectFeed<S: Subject>: Feed where S.Output == Value {
  let subject: S
  private let failure: S.Failure?
  private let hasEnded = Atomic(false)

  init(_ subject: S, failure: S.Failure?) {
    self.subject = subject
    self.failure = failure
  }

  var ledger: DemandLedger? { nil }
  var latest: Value? { (subject as? CurrentValueSubject<Value, S.Failure>)?.value }
  var isOver: Bool { hasEnded.load(ordering: .relaxed) }
  func send(_ value: Value) { subject.send(value) }
  func force(_ value: Value) { subject.send(value) }
  func send(batch: [Value]) { batch.withUnsafeBufferPointer { subject.send(contentsOf: $0) } }
  func finish() { end(.finished) }
  func fail() { end(failure.map { .failure($0) } ?? .finished) }

  private func end(_ completion: Subscribers.Completion<S.Failure>) {
    hasEnded.store(true, ordering: .relaxed)
    subject.send(completion: completion)
  }

  func send(subscription: any Subscription) {}
}

/// Whatever else makes a publisher send: the setter of a property, a promise.
final class ClosureFeed: Feed {
  private let sending: (Value) -> Void
  private let ending: (_ fails: Bool) -> Void
  private let hasEnded = Atomic(false)

  init(send: @escaping (Value) -> Void, end: @escaping (_ fails: Bool) -> Void = { _ in }) {
    sending = send
    ending = end
  }

  var ledger: DemandLedger? { nil }
  var isOver: Bool { hasEnded.load(ordering: .relaxed) }
  func send(_ value: Value) { sending(value) }
  func force(_ value: Value) { sending(value) }
  func send(batch: [Value]) { batch.forEach(sending) }
  func finish() { end(fails: false) }
  func fail() { end(fails: true) }

  private func end(fails: Bool) {
    hasEnded.store(true, ordering: .relaxed)
    ending(fails)
  }

  func send(subscription: any Subscription) {}
}
