import Streams

var stateful: [Scenario] {
  [
    sending("subject → scan → sink") { $0.scan(0, &+).sink(receiveValue: add) },
    sending("subject → tryScan → sink") {
      $0.tryScan(0) { try positive($0 ^ $1) }.sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    sending("subject → reduce → sink") { $0.reduce(0, &+).sink(receiveValue: add) },
    sending("subject → count → sink") { $0.count().sink(receiveValue: add) },
    sending("subject → max → sink") { $0.max().sink(receiveValue: add) },
    sending("subject → last → sink") { $0.last().sink(receiveValue: add) },
    sending("subject → contains → sink") { $0.contains(-1).sink { _ in } },
    sending("subject → allSatisfy → sink") { $0.allSatisfy { $0 >= 0 }.sink { _ in } },
    sending("subject → removeDuplicates → sink") {
      $0.map { $0 >> 1 }.removeDuplicates().sink(receiveValue: add)
    },
    sending("subject → tryRemoveDuplicates → sink") {
      $0.tryRemoveDuplicates { try positive($0) >> 1 == $1 >> 1 }
        .sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    sending("subject → dropFirst → sink") { $0.dropFirst(3).sink(receiveValue: add) },
    sending("subject → drop(while:) → sink") { $0.drop { $0 < 3 }.sink(receiveValue: add) },
    sending("subject → drop(untilOutputFrom:) → sink") {
      $0.drop(untilOutputFrom: Just(1)).sink(receiveValue: add)
    },
    sending("subject → prefix → sink") { $0.prefix(1 << 30).sink(receiveValue: add) },
    sending("subject → prefix(while:) → sink") { $0.prefix { $0 >= 0 }.sink(receiveValue: add) },
    sending("subject → prefix(untilOutputFrom:) → sink") {
      $0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).sink(receiveValue: add)
    },
    sending("subject → output(in:) → sink") { $0.output(in: 2...).sink(receiveValue: add) },
    sending("subject → collect(16) → sink") { $0.collect(16).sink { add($0.count) } },
    sending("subject → buffer(16) → one at a time") {
      $0.buffer(size: 16, prefetch: .keepFull, whenFull: .dropOldest).takeOneAtATime()
    },
    sending("subject → buffer(16) → sink") {
      $0.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).sink(receiveValue: add)
    },
    sending("subject → buffer(16) that is full") {
      $0.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).subscribe(demanding: .none)
    },
    sending("subject → measureInterval → sink") {
      $0.measureInterval(using: ImmediateScheduler.shared).sink { _ in }
    },
  ]
}

extension Publisher {
  /// Subscribes with a demand that is never added to.
  fileprivate func subscribe(demanding demand: Subscribers.Demand) -> AnyCancellable {
    let subscriber = Demanding<Output, Failure>(demand)
    subscribe(subscriber)
    return AnyCancellable { subscriber.subscription?.cancel() }
  }
}

private final class Demanding<Input, Failure: Error>: Subscriber {
  let demand: Subscribers.Demand
  var subscription: (any Subscription)?

  init(_ demand: Subscribers.Demand) { self.demand = demand }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if demand > .none { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Failure>) {}
}
