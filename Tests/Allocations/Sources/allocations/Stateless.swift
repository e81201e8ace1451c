import Streams

struct Negative: Error {}

func positive(_ value: Int) throws -> Int { if value < 0 { throw Negative() } else { value } }

var stateless: [Scenario] {
  [
    sending("subject → sink") { $0.sink(receiveValue: add) },
    sending("subject → map → sink") { $0.map { $0 &+ 1 }.sink(receiveValue: add) },
    sending("subject → filter → sink") { $0.filter { $0 & 1 == 0 }.sink(receiveValue: add) },
    sending("subject → compactMap → sink") {
      $0.compactMap { $0 & 1 == 0 ? $0 : nil }.sink(receiveValue: add)
    },
    sending("subject → tryMap → sink") {
      $0.tryMap(positive).sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    sending("subject → tryFilter → sink") {
      $0.tryFilter { try positive($0) & 1 == 0 }.sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    sending("subject → tryCompactMap → sink") {
      $0.tryCompactMap { try positive($0) & 1 == 0 ? $0 : nil }
        .sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    sending("subject → map → filter → sink") {
      $0.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add)
    },
    sending("subject → tryMap → compactMap → sink") {
      $0.tryMap(positive).compactMap { $0 & 1 == 0 ? $0 : nil }
        .sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    sending("subject → 5 × map → sink") {
      $0.map { $0 &+ 1 }.map { $0 ^ 2 }.map { $0 &+ 3 }.map { $0 ^ 4 }.map { $0 &+ 5 }.sink(receiveValue: add)
    },
    sending("subject → map(keyPath) → sink") { $0.map(\.bigEndian).sink(receiveValue: add) },
    sending("subject → replaceNil → sink") {
      $0.map { $0 & 1 == 0 ? $0 : nil }.replaceNil(with: 7).sink(receiveValue: add)
    },
    sending("subject → setFailureType → mapError → sink") {
      $0.setFailureType(to: Negative.self).mapError { $0 as any Error }
        .sink(receiveCompletion: { _ in }, receiveValue: add)
    },
    sending("subject → setFailureType → replaceError → sink") {
      $0.setFailureType(to: Negative.self).replaceError(with: 7).sink(receiveValue: add)
    },
    sending("subject → setFailureType → catch → sink") {
      $0.setFailureType(to: Negative.self).catch { _ in Just(7) }.sink(receiveValue: add)
    },
    sending("subject → setFailureType → retry → sink") {
      $0.setFailureType(to: Negative.self).retry(3).assertNoFailure().sink(receiveValue: add)
    },
    sending("subject → replaceEmpty → sink") { $0.replaceEmpty(with: 7).sink(receiveValue: add) },
    sending("subject → ignoreOutput → sink") { $0.ignoreOutput().sink { _ in } },
    sending("subject → handleEvents → sink") {
      $0.handleEvents(receiveOutput: add).sink(receiveValue: add)
    },
    sending("subject → breakpoint → sink") {
      $0.breakpoint(receiveOutput: { $0 < 0 }).sink(receiveValue: add)
    },
    sending("subject → prepend → append → sink") { $0.prepend(1, 2).append(3, 4).sink(receiveValue: add) },
    sending("subject → receive(on: immediate) → sink") {
      $0.receive(on: ImmediateScheduler.shared).sink(receiveValue: add)
    },
    sending("subject → subscribe(on: immediate) → sink") {
      $0.subscribe(on: ImmediateScheduler.shared).sink(receiveValue: add)
    },
    sending("subject → map → filter → one at a time") {
      $0.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.takeOneAtATime()
    },
    strings("strings → filter → sink") { $0.filter { !$0.isEmpty }.sink { add($0.utf8.count) } },
    strings("strings → filter → map → sink") {
      $0.filter { !$0.isEmpty }.map { ($0, $0.utf8.count) }.sink { add($0.1) }
    },
    strings("strings → removeDuplicates → sink") { $0.removeDuplicates().sink { add($0.utf8.count) } },
  ]
}

var erased: [Scenario] {
  [
    sending("subject, erased → sink") { $0.eraseToAnyPublisher().sink(receiveValue: add) },
    sending("subject → map → filter → map, each erased → sink") {
      $0.map { $0 &+ 1 }.eraseToAnyPublisher().filter { $0 & 1 == 0 }.eraseToAnyPublisher()
        .map { $0 ^ 2 }.eraseToAnyPublisher().sink(receiveValue: add)
    },
    sending("subject → 5 × map, each erased → sink") { fiveErased($0).sink(receiveValue: add) },
    sending("subject → any subscriber") { subject in
      let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: add)
      subject.subscribe(AnySubscriber(sink))
      return AnyCancellable(sink)
    },
  ]
}

func fiveErased(_ subject: Numbers) -> AnyPublisher<Int, Never> {
  subject.map { $0 &+ 1 }.eraseToAnyPublisher().map { $0 ^ 2 }.eraseToAnyPublisher()
    .map { $0 &+ 3 }.eraseToAnyPublisher().map { $0 ^ 4 }.eraseToAnyPublisher()
    .map { $0 &+ 5 }.eraseToAnyPublisher()
}

/// Sends texts that own storage.
private func strings(
  _ name: String, _ build: @escaping (PassthroughSubject<String, Never>) -> AnyCancellable
) -> Scenario {
  Scenario(name: name) {
    let texts = (0..<64).map { "a text that is too long to be stored inline, \($0)" }
    let subject = PassthroughSubject<String, Never>()
    let cancellable = build(subject)
    return { values in
      withExtendedLifetime(cancellable) { for value in 0..<values { subject.send(texts[value & 63]) } }
    }
  }
}
