import CStreams
import Streams
import StreamsProperty

/// What a property has: a value, or the error of the function that was to make it.
typealias Outcome = Result<Value, StreamError>

/// The property behind a handle.
final class PropertyObject {
  let property: Property<Outcome>

  init(_ property: Property<Outcome>) { self.property = property }
}

extension Publisher where Output == Outcome, Failure == Never {
  /// The values; the first that could not be made fails the stream.
  var values: StackChecked { StackChecked(setFailureType(to: StreamError.self).succeeding()) }
}

extension Outcome {
  /// What is in the place of values that follow from each other without an end.
  static var endless: Outcome {
    .failure(StreamError(status: STREAMS_LIMIT, "changes follow from each other without an end"))
  }
}

extension ValuePublisher {
  /// The values, and the failure as a last one.
  var outcomes: AnyPublisher<Outcome, Never> {
    map { Outcome.success($0) }.catch { Just(Outcome.failure($0)) }.eraseToAnyPublisher()
  }
}

extension Property<Outcome> {
  /// A property of what `combine` makes of the values of several properties or, if one has none, of that one's error.
  static func joined(
    _ outcomes: Property<[Outcome]>, _ combine: @escaping ([Value]) -> Outcome
  ) -> Property<Outcome> {
    outcomes.map { outcomes in
      Result { () throws(StreamError) in
        var values: [Value] = []
        for outcome in outcomes { values.append(try outcome.get()) }
        return values
      }.flatMap(combine)
    }
  }

  /// Passes over what `isIncluded` answers false to, and has the error if it fails.
  func filtered(
    _ initialFallback: Value, _ isIncluded: @escaping (Value) throws(StreamError) -> Bool
  ) -> Property<Outcome> {
    compactMapped(initialFallback) { value throws(StreamError) in try isIncluded(value) ? value : nil }
  }

  /// Passes over what `transform` makes nothing of, and has the error if it fails.
  func compactMapped(
    _ initialFallback: Value, _ transform: @escaping (Value) throws(StreamError) -> Value?
  ) -> Property<Outcome> {
    compactMap(initialFallback: .success(initialFallback)) { outcome in
      do throws(StreamError) {
        return try transform(outcome.get()).map { .success($0) }
      } catch {
        return .failure(error)
      }
    }
  }

  /// Goes on with what `combine` makes of the last value that it has made and each that comes.
  func scanned(_ initial: Value, _ combine: @escaping (Value, Value) -> Outcome) -> Property<Outcome> {
    var accumulated = initial
    return scan(.success(initial)) { _, outcome in
      let made = outcome.flatMap { combine(accumulated, $0) }
      if case .success(let value) = made { accumulated = value }
      return made
    }
  }

  /// Passes over what is the same as the value that it has.
  func withoutDuplicates(
    _ isSame: @escaping (Value, Value) throws(StreamError) -> Bool
  ) -> Property<Outcome> {
    var last: Value?
    return compactMap(initialFallback: value) { outcome in
      let previous = last
      last = nil
      do throws(StreamError) {
        let value = try outcome.get()
        let isRepeated = try previous.map { previous throws(StreamError) in try isSame(previous, value) }
        last = value
        return isRepeated == true ? nil : outcome
      } catch {
        return .failure(error)
      }
    }
  }
}

extension Kind {
  static let property = HandleKind<PropertyObject>(STREAMS_KIND_PROPERTY)
}
