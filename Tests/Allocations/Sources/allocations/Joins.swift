import Streams

/// A value is one round: a number to each of the subjects.
var joins: [Scenario] {
  [
    sending("2 subjects → zip → sink", toEach: 2) { $0[0].zip($0[1]).sink { add($0 &+ $1) } },
    sending("3 subjects → zip → sink", toEach: 3) { $0[0].zip($0[1], $0[2]).sink { add($0 &+ $1 &+ $2) } },
    sending("4 subjects → zip with transform → sink", toEach: 4) {
      $0[0].zip($0[1], $0[2], $0[3]) { $0 &+ $1 &+ $2 &+ $3 }.sink(receiveValue: add)
    },
    sending("2 subjects → zip → one at a time", toEach: 2) { $0[0].zip($0[1]).takeOneAtATime() },
    sending("2 subjects → combineLatest → sink", toEach: 2) {
      $0[0].combineLatest($0[1]).sink { add($0 &+ $1) }
    },
    sending("3 subjects → combineLatest → sink", toEach: 3) {
      $0[0].combineLatest($0[1], $0[2]).sink { add($0 &+ $1 &+ $2) }
    },
    sending("4 subjects → combineLatest with transform → sink", toEach: 4) {
      $0[0].combineLatest($0[1], $0[2], $0[3]) { $0 &+ $1 &+ $2 &+ $3 }.sink(receiveValue: add)
    },
    sending("2 subjects → merge → sink", toEach: 2) { $0[0].merge(with: $0[1]).sink(receiveValue: add) },
    sending("8 subjects → merge → sink", toEach: 8) {
      $0[0].merge(with: $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).sink(receiveValue: add)
    },
    sending("8 subjects → merge many → sink", toEach: 8) {
      Publishers.MergeMany($0).sink(receiveValue: add)
    },
    sending("2 subjects → merge → one at a time", toEach: 2) { $0[0].merge(with: $0[1]).takeOneAtATime() },
  ]
}

var flattening: [Scenario] {
  [
    sending("subject → flatMap(just) → sink") { $0.flatMap { Just($0) }.sink(receiveValue: add) },
    sending("subject → flatMap(just), one at a time → sink") {
      $0.flatMap(maxPublishers: .max(1)) { Just($0) }.sink(receiveValue: add)
    },
    sending("subject → flatMap(sequence of 8) → sink") {
      let numbers = Array(0..<8)
      return $0.flatMap { _ in numbers.publisher }.sink(receiveValue: add)
    },
    sending("subject → flatMap(just) → one at a time") { $0.flatMap { Just($0) }.takeOneAtATime() },
    sending("subject → flatMap that keeps its publishers, values of theirs → sink") { (subject: Numbers) in
      let inners = (0..<8).map { _ in Numbers() }
      let outer = PassthroughSubject<Int, Never>()
      let cancellable = outer.flatMap { inners[$0] }.sink(receiveValue: add)
      for index in inners.indices { outer.send(index) }
      return [cancellable, subject.sink { inners[$0 & 7].send($0) }]
    },
    sending("subject → switchToLatest(just) → sink") {
      $0.map { Just($0) }.switchToLatest().sink(receiveValue: add)
    },
    switching(),
  ]
}

/// A value is one change of publisher, and 16 values from the new one.
private func switching() -> Scenario {
  Scenario(name: "subject → switchToLatest, 16 values each → sink") {
    let publishers = PassthroughSubject<Numbers, Never>()
    let inners = [Numbers(), Numbers()]
    let cancellable = publishers.switchToLatest().sink(receiveValue: add)
    return { values in
      withExtendedLifetime(cancellable) {
        for value in 0..<values {
          let inner = inners[value & 1]
          publishers.send(inner)
          for value in 0..<16 { inner.send(value) }
        }
      }
    }
  }
}
