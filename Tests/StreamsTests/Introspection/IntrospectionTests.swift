import Streams
import StreamsTesting
import Testing

/// What is enabled watches the whole process, and so these tests have processes of their own.
@Suite struct IntrospectionTests {
  final class Log: _Introspection {
    private let only: CombineIdentifier
    var entries: [String] = []

    /// Writes down what happens to one subscriber.
    init(only: CombineIdentifier) { self.only = only }

    private func note(_ identifier: CombineIdentifier, _ text: String) {
      if identifier == only { entries.append(text) }
    }

    func willReceive<U: Publisher, D: Subscriber>(publisher: U, subscriber: D)
    where U.Failure == D.Failure, U.Output == D.Input { note(subscriber.combineIdentifier, "subscribe") }
    func didReceive<U: Publisher, D: Subscriber>(publisher: U, subscriber: D)
    where U.Failure == D.Failure, U.Output == D.Input { note(subscriber.combineIdentifier, "subscribed") }
    func willReceive<D: Subscriber>(subscriber: D, subscription: any Subscription) {
      note(subscriber.combineIdentifier, "will get \(subscription)")
    }
    func didReceive<D: Subscriber>(subscriber: D, subscription: any Subscription) {
      note(subscriber.combineIdentifier, "did get \(subscription)")
    }
    func willReceive<D: Subscriber>(subscriber: D, input: D.Input) {
      note(subscriber.combineIdentifier, "will get \(input)")
    }
    func didReceive<D: Subscriber>(subscriber: D, input: D.Input, resultingDemand: Subscribers.Demand) {
      note(subscriber.combineIdentifier, "did get \(input): \(resultingDemand)")
    }
    func willReceive<D: Subscriber>(subscriber: D, completion: Subscribers.Completion<D.Failure>) {
      note(subscriber.combineIdentifier, "will get \(completion)")
    }
    func didReceive<D: Subscriber>(subscriber: D, completion: Subscribers.Completion<D.Failure>) {
      note(subscriber.combineIdentifier, "did get \(completion)")
    }
  }

  /// Writes down what happens to one subscription.
  final class SubscriptionLog: _Introspection {
    let only: CombineIdentifier
    var entries: [String] = []

    init(only: CombineIdentifier) { self.only = only }

    private func note(_ subscription: any Subscription, _ text: String) {
      if subscription.combineIdentifier == only { entries.append(text) }
    }

    func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
      note(subscription, "will request \(demand)")
    }
    func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
      note(subscription, "did request \(demand)")
    }
    func willCancel(subscription: any Subscription) { note(subscription, "will cancel") }
    func didCancel(subscription: any Subscription) { note(subscription, "did cancel") }
  }

  private static func makeRecorder() -> RecordingSubscriber<Int, Never> {
    RecordingSubscriber(initialDemand: .none) { .max($0) }
  }

  @Test func watchesSubscribersWhileEnabled() async {
    await #expect(processExitsWith: .success) {
      let recorder = Self.makeRecorder()
      let log = Log(only: recorder.combineIdentifier)
      let upstream = TestPublisher<Int, Never>()
      #expect(!log.isEnabled)
      log.enable()
      log.enable()
      #expect(log.isEnabled)
      upstream.subscribe(recorder)
      #expect(upstream.send(1) == .max(1))
      log.disable()
      upstream.send(2)
      log.enable()
      upstream.send(completion: .finished)
      log.disable()
      #expect(!log.isEnabled)
      upstream.send(completion: .finished)
      #expect(
        log.entries == [
          "subscribe", "will get TestSubscription", "did get TestSubscription", "subscribed", "will get 1",
          "did get 1: max(1)", "will get finished", "did get finished",
        ])
      #expect(recorder.values == [1, 2])
    }
  }

  @Test func watchesSubscriptions() async {
    await #expect(processExitsWith: .success) {
      let recorder = Self.makeRecorder()
      let subscription = TestSubscription()
      let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
      let log = SubscriptionLog(only: subscription.combineIdentifier)
      log.enable()
      upstream.subscribe(recorder)
      upstream.send(subscription: subscription)
      recorder.request(.max(2))
      recorder.cancel()
      log.disable()
      recorder.request(.max(3))
      #expect(log.entries == ["will request max(2)", "did request max(2)", "will cancel", "did cancel"])
      #expect(subscription.ledger.entries == [.requested(.max(2)), .cancelled, .requested(.max(3))])
      #expect(recorder.subscriptions.map { "\($0)" } == ["TestSubscription"])
    }
  }

  @Test func watchesAnErasedSubscriberOnce() async {
    await #expect(processExitsWith: .success) {
      let recorder = Self.makeRecorder()
      let log = Log(only: recorder.combineIdentifier)
      let subject = PassthroughSubject<Int, Never>()
      log.enable()
      subject.eraseToAnyPublisher().subscribe(AnySubscriber(recorder))
      recorder.request(.max(1))
      subject.send(5)
      log.disable()
      #expect(
        log.entries == [
          "subscribe", "will get PassthroughSubject", "did get PassthroughSubject", "subscribed",
          "will get 5",
          "did get 5: max(5)",
        ])
    }
  }

  @Test func doesNotWatchWithoutBeingAsked() async {
    await #expect(processExitsWith: .success) {
      let recorder = Self.makeRecorder()
      let log = Log(only: recorder.combineIdentifier)
      let upstream = TestPublisher<Int, Never>()
      upstream.subscribe(recorder)
      log.enable()
      upstream.send(1)
      log.disable()
      #expect(log.entries.isEmpty)
      #expect(upstream.subscribers.first as? RecordingSubscriber<Int, Never> === recorder)
    }
  }
}
