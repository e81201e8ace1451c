import Streams

typealias Numbers = PassthroughSubject<Int, Never>

/// Sends numbers to a subject, one by one.
func sending<Ticket>(_ name: String, _ build: @escaping (Numbers) -> Ticket) -> Scenario {
  Scenario(name: name) {
    let subject = Numbers()
    let cancellable = build(subject)
    return { values in
      withExtendedLifetime(cancellable) { for value in 0..<values { subject.send(value) } }
    }
  }
}

/// Sends each number to some subjects in turn.
func sending<Ticket>(_ name: String, toEach count: Int, _ build: @escaping ([Numbers]) -> Ticket) -> Scenario
{
  Scenario(name: name) {
    let subjects = (0..<count).map { _ in Numbers() }
    let cancellable = build(subjects)
    return { values in
      withExtendedLifetime(cancellable) {
        for value in 0..<values { for subject in subjects { subject.send(value) } }
      }
    }
  }
}

/// Sends numbers to a subject, 64 at a time.
func sendingBatches<Ticket>(_ name: String, _ build: @escaping (Numbers) -> Ticket) -> Scenario {
  Scenario(name: "batches → " + name) {
    let numbers = Array(0..<64)
    let subject = Numbers()
    let cancellable = build(subject)
    return { values in
      withExtendedLifetime(cancellable) {
        for _ in 0..<values / numbers.count {
          numbers.withUnsafeBufferPointer { subject.send(contentsOf: $0) }
        }
      }
    }
  }
}

/// Subscribes and cancels: a value stands for a subscription.
func subscribing(_ name: String, _ subscribe: @escaping (Numbers) -> AnyCancellable) -> Scenario {
  Scenario(name: "subscribe to " + name + ", cancel") {
    let subject = Numbers()
    return { subscriptions in for _ in 0..<subscriptions { subscribe(subject).cancel() } }
  }
}

/// Subscribes to a publisher of as many numbers as are to be counted.
func publishing(_ name: String, _ subscribe: @escaping ([Int]) -> AnyCancellable) -> Scenario {
  Scenario(name: name) {
    let numbers = Array(0..<4096)
    return { values in subscribe(Array(numbers[..<values])).cancel() }
  }
}

/// A subscriber that asks for one value at a time.
final class OneAtATime<Input, Failure: Error>: Subscriber, Cancellable {
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    total &+= 1
    return .max(1)
  }

  func receive(completion: Subscribers.Completion<Failure>) {}

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

extension Publisher {
  func takeOneAtATime() -> AnyCancellable {
    let subscriber = OneAtATime<Output, Failure>()
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}
