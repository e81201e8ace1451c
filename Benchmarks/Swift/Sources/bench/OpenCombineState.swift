import OpenCombine

/// The rows of observable state. `StreamsState` has the same; where that has a property, there is a subject here, which
/// keeps the value, and where that combines the latest, pairs are formed: there is no combineLatest.
extension OpenCombineRows {
  /// Sends the numbers to a subject with a current value, and so to its sinks.
  static func setting(_ sinks: Int) -> Pipeline {
    let subject = CurrentValueSubject<Int, Never>(0)
    let cancellables = (0..<sinks).map { _ in subject.sink(receiveValue: add) }
    return Pipeline(valuesPerCall: sinks) { calls in
      withExtendedLifetime(cancellables) { for value in 0..<calls { subject.send(value) } }
    }
  }

  private final class Model {
    @Published var number = 0
  }

  /// Sets a published property, which has sinks.
  static func publishing(_ sinks: Int) -> Pipeline {
    let model = Model()
    let cancellables = (0..<sinks).map { _ in model.$number.sink(receiveValue: add) }
    return Pipeline(valuesPerCall: sinks) { calls in
      withExtendedLifetime(cancellables) { for value in 0..<calls { model.number = value } }
    }
  }

  static func chain() -> Pipeline {
    let source = CurrentValueSubject<Int, Never>(0)
    var (last, cancellables) = (source, [AnyCancellable]())
    for _ in 0..<10 { last = keep(last.map { $0 &+ 1 }, &cancellables) }
    cancellables.append(last.sink(receiveValue: add))
    return Pipeline { [cancellables] calls in
      withExtendedLifetime(cancellables) { for value in 0..<calls { source.send(value) } }
    }
  }

  static func diamond() -> Pipeline {
    let source = CurrentValueSubject<Int, Never>(0)
    var cancellables: [AnyCancellable] = []
    let properties = (0..<10).map { number in keep(source.map { $0 &+ number }, &cancellables) }
    let sums = properties.dropFirst().reduce(properties[0].eraseToAnyPublisher()) { sums, property in
      sums.zip(property).map { $0 &+ $1 }.eraseToAnyPublisher()
    }
    cancellables.append(keep(sums, &cancellables).sink(receiveValue: add))
    return Pipeline { [cancellables] calls in
      withExtendedLifetime(cancellables) { for value in 0..<calls { source.send(value) } }
    }
  }

  /// A subject that keeps what a publisher sends.
  private static func keep<P: Publisher>(
    _ publisher: P, _ cancellables: inout [AnyCancellable]
  ) -> CurrentValueSubject<Int, Never> where P.Output == Int, P.Failure == Never {
    let subject = CurrentValueSubject<Int, Never>(0)
    cancellables.append(publisher.subscribe(subject))
    return subject
  }
}
