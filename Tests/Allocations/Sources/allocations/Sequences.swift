import Streams

var sequences: [Scenario] {
  [
    publishing("sequence → sink") { $0.publisher.sink(receiveValue: add) },
    publishing("sequence → map → filter → sink") {
      $0.publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add)
    },
    publishing("sequence, erased → map → filter → sink") {
      $0.publisher.eraseToAnyPublisher().map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add)
    },
    publishing("sequence → one at a time") { $0.publisher.takeOneAtATime() },
    publishing("record → sink") {
      Record<Int, Never>(output: $0, completion: .finished).sink(receiveValue: add)
    },
  ]
}

var batches: [Scenario] {
  [
    sendingBatches("sink") { $0.sink(receiveValue: add) },
    sendingBatches("map → filter → sink") {
      $0.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add)
    },
    sendingBatches("5 × map → sink") {
      $0.map { $0 &+ 1 }.map { $0 ^ 2 }.map { $0 &+ 3 }.map { $0 ^ 4 }.map { $0 &+ 5 }.sink(receiveValue: add)
    },
    sendingBatches("5 × map, each erased → sink") { fiveErased($0).sink(receiveValue: add) },
    sendingBatches("compactMap → sink") { $0.compactMap { $0 & 1 == 0 ? $0 : nil }.sink(receiveValue: add) },
    sendingBatches("tryMap → sink") {
      $0.tryMap(positive).sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    sendingBatches("scan → sink") { $0.scan(0, &+).sink(receiveValue: add) },
    sendingBatches("removeDuplicates → sink") {
      $0.map { $0 >> 1 }.removeDuplicates().sink(receiveValue: add)
    },
    sendingBatches("merge → sink") { $0.merge(with: Numbers()).sink(receiveValue: add) },
    sendingBatches("zip with itself → sink") { $0.zip($0).sink { add($0 &+ $1) } },
    sendingBatches("combineLatest with itself → sink") { $0.combineLatest($0).sink { add($0 &+ $1) } },
    sendingBatches("share → 2 sinks") { subject in
      let shared = subject.share()
      return [shared.sink(receiveValue: add), shared.sink(receiveValue: add)]
    },
    sendingBatches("prefix → sink") { $0.prefix(1 << 30).sink(receiveValue: add) },
    sendingBatches("collect(16) → sink") { $0.collect(16).sink { add($0.count) } },
    sendingBatches("buffer(64) → sink") {
      $0.buffer(size: 64, prefetch: .byRequest, whenFull: .dropOldest).sink(receiveValue: add)
    },
  ]
}
