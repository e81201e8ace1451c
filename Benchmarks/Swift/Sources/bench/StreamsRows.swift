import Streams

/// The rows as Streams runs them. `OpenCombineRows` has the same.
enum StreamsRows {
  static func pipeline(_ row: Row) -> Pipeline? {
    switch row {
    case .sink: return sending { $0.sink(receiveValue: add) }
    case .mapFilter:
      return sending { $0.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add) }
    case .fiveMaps:
      return sending {
        $0.map { $0 &+ 1 }.map { $0 ^ 2 }.map { $0 &+ 3 }.map { $0 ^ 4 }.map { $0 &+ 5 }
          .sink(receiveValue: add)
      }
    case .sequence:
      let numbers = Array(0..<1000)
      return subscribing(1000) { numbers.publisher.sink(receiveValue: add) }
    case .sequenceMapFilter:
      let numbers = Array(0..<1000)
      return subscribing(1000) {
        numbers.publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add)
      }
    case .erased:
      return sending {
        $0.map { $0 &+ 1 }.eraseToAnyPublisher().filter { $0 & 1 == 0 }.eraseToAnyPublisher()
          .map { $0 ^ 2 }.eraseToAnyPublisher().sink(receiveValue: add)
      }
    case .fiveErased: return sending { fiveErased($0).sink(receiveValue: add) }
    case .strings: return strings()
    case .tryMap:
      return sending {
        $0.tryMap { if $0 < 0 { throw Negative() } else { $0 &+ 1 } }.compactMap { $0 & 1 == 0 ? $0 : nil }
          .sink(receiveCompletion: { _ in }, receiveValue: add)
      }
    case .scan: return sending { $0.scan(0, &+).sink(receiveValue: add) }
    case .removeDuplicates:
      return sending { $0.map { $0 >> 1 }.removeDuplicates().sink(receiveValue: add) }
    case .collect: return sending { $0.collect(16).sink { add($0.count) } }
    case .flatMap: return sending { $0.flatMap { Just($0) }.sink(receiveValue: add) }
    case .flatMapSequence:
      let numbers = Array(0..<8)
      return sending { $0.flatMap { _ in numbers.publisher }.sink(receiveValue: add) }
    case .switchToLatest: return switchToLatest()
    case .switchToJust: return sending { $0.map { Just($0) }.switchToLatest().sink(receiveValue: add) }
    case .zip: return sendingToBoth { $0.zip($1).sink { add($0 &+ $1) } }
    case .combineLatest: return sendingToBoth { $0.combineLatest($1).sink { add($0 &+ $1) } }
    case .merge: return sendingToBoth { $0.merge(with: $1).sink(receiveValue: add) }
    case .bufferKeepFull:
      return sending {
        $0.buffer(size: 16, prefetch: .keepFull, whenFull: .dropOldest).sink(receiveValue: add)
      }
    case .bufferByRequest:
      return sending {
        $0.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).sink(receiveValue: add)
      }
    case .bufferKept: return bufferKept()
    case .share:
      return sending { (subject: PassthroughSubject<Int, Never>) in
        let shared = subject.map { $0 &+ 1 }.share()
        return [shared.sink(receiveValue: add), shared.sink(receiveValue: add)]
      }
    case .fanOut:
      var pipeline = sending { (subject: PassthroughSubject<Int, Never>) in
        (0..<100).map { _ in subject.sink(receiveValue: add) }
      }
      pipeline.valuesPerCall = 100
      return pipeline
    case .currentValue: return setting(1)
    case .currentValueTen: return setting(10)
    case .currentValueHundred: return setting(100)
    case .published: return publishing(1)
    case .publishedTen: return publishing(10)
    case .publishedHundred: return publishing(100)
    case .chain: return chain()
    case .diamond: return diamond()
    case .views10: return views(10)
    case .views100: return views(100)
    case .views1000: return views(1000)
    case .views10000: return views(10_000)
    case .views100000: return views(100_000)
    case .observables10: return observables(10)
    case .observables1000: return observables(1000)
    case .subscribe:
      let subject = PassthroughSubject<Int, Never>()
      return subscribing(1) {
        subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add)
      }
    case .batchSink: return sendingBatches { $0.sink(receiveValue: add) }
    case .batchMapFilter:
      return sendingBatches { $0.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: add) }
    case .batchFiveMaps:
      return sendingBatches {
        $0.map { $0 &+ 1 }.map { $0 ^ 2 }.map { $0 &+ 3 }.map { $0 ^ 4 }.map { $0 &+ 5 }
          .sink(receiveValue: add)
      }
    case .batchErased: return sendingBatches { fiveErased($0).sink(receiveValue: add) }
    case .batchScan: return sendingBatches { $0.scan(0, &+).sink(receiveValue: add) }
    }
  }

  private struct Negative: Error {}

  /// Sends the numbers to a subject, one by one.
  private static func sending<Cancellable>(
    _ build: (PassthroughSubject<Int, Never>) -> Cancellable
  ) -> Pipeline {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = build(subject)
    return Pipeline { calls in
      withExtendedLifetime(cancellable) { for value in 0..<calls { subject.send(value) } }
    }
  }

  /// Sends each number to two subjects.
  private static func sendingToBoth(
    _ build: (PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>) -> AnyCancellable
  ) -> Pipeline {
    let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let cancellable = build(one, other)
    return Pipeline(valuesPerCall: 2) { calls in
      withExtendedLifetime(cancellable) {
        for value in 0..<calls {
          one.send(value)
          other.send(value)
        }
      }
    }
  }

  /// Builds a pipeline, subscribes and cancels.
  private static func subscribing(_ values: Int, _ build: @escaping () -> AnyCancellable) -> Pipeline {
    Pipeline(valuesPerCall: values) { calls in
      for _ in 0..<calls { build().cancel() }
    }
  }

  private static func fiveErased(_ subject: PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never> {
    subject.map { $0 &+ 1 }.eraseToAnyPublisher().map { $0 ^ 2 }.eraseToAnyPublisher()
      .map { $0 &+ 3 }.eraseToAnyPublisher().map { $0 ^ 4 }.eraseToAnyPublisher()
      .map { $0 &+ 5 }.eraseToAnyPublisher()
  }

  /// Sends a text that is stored on the heap. It is the same one each time: to take it from an array, the loop
  /// would retain and release it, which is as much as everything else that happens to it.
  private static func strings() -> Pipeline {
    let text = String(repeating: "a text that is not stored inline, ", count: 2)
    let subject = PassthroughSubject<String, Never>()
    let cancellable = subject.filter { !$0.isEmpty }.map { ($0, $0.utf8.count) }.sink { add($0.1) }
    return Pipeline { calls in
      withExtendedLifetime(cancellable) { for _ in 0..<calls { subject.send(text) } }
    }
  }

  /// Sends values that nobody has asked for yet, and then asks for them.
  private static func bufferKept() -> Pipeline {
    let subject = PassthroughSubject<Int, Never>()
    let puller = Puller()
    subject.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).subscribe(puller)
    return Pipeline(valuesPerCall: 16) { calls in
      for _ in 0..<calls {
        for value in 0..<16 { subject.send(value) }
        puller.subscription?.request(.max(16))
      }
    }
  }

  private final class Puller: Subscriber {
    private(set) var subscription: Subscription?

    func receive(subscription: Subscription) { self.subscription = subscription }
    func receive(_ input: Int) -> Subscribers.Demand {
      add(input)
      return .none
    }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  private static func switchToLatest() -> Pipeline {
    let publishers = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let inners = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let cancellable = publishers.switchToLatest().sink(receiveValue: add)
    return Pipeline(valuesPerCall: 16) { calls in
      withExtendedLifetime(cancellable) {
        for call in 0..<calls {
          let inner = inners[call & 1]
          publishers.send(inner)
          for value in 0..<16 { inner.send(value) }
        }
      }
    }
  }

  /// Sends 1024 numbers at a time.
  private static func sendingBatches(
    _ build: (PassthroughSubject<Int, Never>) -> AnyCancellable
  ) -> Pipeline {
    let numbers = Array(0..<1024)
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = build(subject)
    return Pipeline(valuesPerCall: numbers.count) { calls in
      withExtendedLifetime(cancellable) {
        for _ in 0..<calls { numbers.withUnsafeBufferPointer { subject.send(contentsOf: $0) } }
      }
    }
  }
}
