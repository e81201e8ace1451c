import Streams

var subscriptions: [Scenario] {
  [
    subscribing("subject") { $0.sink(receiveValue: add) },
    subscribing("map") { $0.map { $0 &+ 1 }.sink(receiveValue: add) },
    subscribing("map → filter") { $0.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add) },
    subscribing("tryMap → compactMap") {
      $0.tryMap(positive).compactMap { $0 & 1 == 0 ? $0 : nil }
        .sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    subscribing("5 × map, each erased") { fiveErased($0).sink(receiveValue: add) },
    subscribing("scan → removeDuplicates") { $0.scan(0, &+).removeDuplicates().sink(receiveValue: add) },
    subscribing("zip") { $0.zip($0).sink { add($0 &+ $1) } },
    subscribing("combineLatest") { $0.combineLatest($0).sink { add($0 &+ $1) } },
    subscribing("merge") { $0.merge(with: $0).sink(receiveValue: add) },
    subscribing("flatMap") { $0.flatMap { Just($0) }.sink(receiveValue: add) },
    subscribing("switchToLatest") { $0.map { Just($0) }.switchToLatest().sink(receiveValue: add) },
    subscribing("share") { $0.share().sink(receiveValue: add) },
    subscribing("buffer") {
      $0.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).sink(receiveValue: add)
    },
    subscribing("just") { _ in Just(1).sink(receiveValue: add) },
    subscribing("sequence") { _ in (0..<8).publisher.sink(receiveValue: add) },
    subscribing("current value subject") { _ in CurrentValueSubject<Int, Never>(0).sink(receiveValue: add) },
  ]
}
