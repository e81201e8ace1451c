import Streams
import StreamsTesting
import Testing

@Suite struct PublishedTests {
  final class Model {
    @Published var state = 0
  }

  let model = Model()

  @Test func sendsBeforeThePropertyChanges() {
    let recorder = RecordingSubscriber<Int, Never>()
    var seen: [Int] = []
    recorder.onValue = { [model] _ in
      seen.append(model.state)
      return .none
    }
    model.state = 1
    model.$state.subscribe(recorder)
    model.state = 2
    model.state += 3
    #expect(recorder.events == [.subscription("PublishedSubject"), .value(1), .value(2), .value(5)])
    #expect(seen == [1, 1, 2])
    #expect(model.state == 5)
  }

  @Test func givesASubscriberThatIsBehindOnlyTheLatest() {
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
    model.$state.subscribe(recorder)
    for _ in 1...3 { model.state += 1 }
    #expect(recorder.values == [0, 1])
    recorder.request(.max(2))
    #expect(recorder.values == [0, 1, 3])
    recorder.cancel()
    recorder.request(.max(2))
    model.state = 9
    #expect(recorder.values == [0, 1, 3])
  }

  @Test func settingTheProjectionDoesNothing() {
    let other = Model()
    other.state = 7
    model.$state = other.$state
    #expect(model.state == 0)
    #expect(other.state == 7)
  }

  @Test func requestsForNothingTrap() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
      let model = Model()
      model.$state.subscribe(recorder)
      recorder.request(.none)
    }
  }

  @Test func describesItsSubscriptions() throws {
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(4))
    model.$state.subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect(
      Mirror(reflecting: subscription).children.map(\.label) == ["parent", "downstream", "demand", "subject"])
    #expect(Mirror(reflecting: subscription).descendant("demand") as? Subscribers.Demand == .max(3))
  }

  // MARK: assign(to:)

  @Test func assignedValuesEndWithTheOwner() {
    let upstream = TestPublisher<Int, Never>()
    do {
      let model = Model()
      upstream.assign(to: &model.$state)
      upstream.send(1)
      #expect(model.state == 1)
      upstream.send(completion: .finished)
      upstream.send(2)
      #expect(model.state == 2)
      #expect(
        upstream.ledger.entries == [
          .requested(.unlimited), .delivered(1), .delivered(1),
        ])
    }
    #expect(upstream.ledger.isCancelled)
    upstream.send(3)
  }

  /// Also where a subscription keeps who was subscribed until it is cancelled.
  @Test func whatHasBeenAssignedIsLetGoOf() {
    final class Weak { weak var subscription: TestSubscription? }
    let model = Model()
    let all = (0..<1000).map { number in
      let (upstream, found) = (TestPublisher<Int, Never>(sendsSubscription: false), Weak())
      upstream.assign(to: &model.$state)
      let subscription = TestSubscription()
      let subscriber = upstream.subscribers.first
      subscription.onRequest = { _ in withExtendedLifetime(subscriber) {} }
      subscription.onCancel = { [unowned subscription] in subscription.onRequest = { _ in } }
      found.subscription = subscription
      upstream.send(subscription: subscription)
      upstream.send(number)
      upstream.send(completion: .finished)
      return found
    }
    #expect(model.state == 999)
    let count = all.filter { $0.subscription != nil }.count
    #expect(count <= 9)
  }

  @Test func aSubscriptionThatComesAfterTheOwnerIsCancelled() {
    let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
    do {
      let model = Model()
      upstream.assign(to: &model.$state)
    }
    let subscription = TestSubscription()
    upstream.send(subscription: subscription)
    #expect(subscription.ledger.entries == [.cancelled])
  }

  @Test func aValueSetByAnotherThreadDuringADeliveryIsTheLatest() {
    let model = Model()
    let recorder = RecordingSubscriber<Int, Never>()
    let rendezvous = Rendezvous()
    recorder.onValue = { value in
      if value > 0 { rendezvous.meet() }
      return .none
    }
    model.$state.subscribe(recorder)
    rendezvous.run({ model.state = 1 }, during: { model.state = 2 })
    #expect(recorder.values.suffix(2) == [1, 2])
    #expect(model.state == 2)
  }

  @Test func keepsSetValuesOfManyThreadsInOrder() {
    for _ in 0..<100 {
      let model = Model()
      let recorder = RecordingSubscriber<Int, Never>()
      model.$state.subscribe(recorder)
      race(rounds: 20, { model.state = 1 }, { model.state = 2 })
      #expect(recorder.values.count == 41)
      #expect(recorder.values.last == model.state)
      #expect(recorder.overlapCount == 0)
    }
  }
}
