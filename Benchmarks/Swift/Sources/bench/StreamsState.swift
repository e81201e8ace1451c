import Streams
import StreamsProperty

/// The rows of observable state. `OpenCombineState` has the same.
extension StreamsRows {
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

  /// Each property is made of the one before.
  static func chain() -> Pipeline {
    let source = CurrentValueSubject<Int, Never>(0)
    var property = Property(source)
    for _ in 0..<10 { property = property.map { $0 &+ 1 } }
    let cancellable = property.allValues.sink(receiveValue: add)
    return Pipeline { calls in
      withExtendedLifetime(cancellable) { for value in 0..<calls { source.send(value) } }
    }
  }

  /// Ten properties are made of one, and one of the ten.
  static func diamond() -> Pipeline {
    let source = CurrentValueSubject<Int, Never>(0)
    let root = Property(source)
    let properties = (0..<10).map { number in root.map { $0 &+ number } }
    let sum = properties.combineLatest(emptySentinel: 0).map { $0.reduce(0, &+) }
    let cancellable = sum.allValues.sink(receiveValue: add)
    return Pipeline { calls in
      withExtendedLifetime(cancellable) { for value in 0..<calls { source.send(value) } }
    }
  }
}
