import CStreams
import Streams
import StreamsProperty

/// A property's value, or the error of the function that should have made it.
typealias Outcome = Result<Value, StreamError>

/// The property behind a handle.
final class PropertyObject {
  let property: Property<Outcome>

  init(_ property: Property<Outcome>) { self.property = property }
}

extension Publisher where Output == Outcome, Failure == Never {
  /// The values; the first error fails the stream.
  var values: StackChecked { StackChecked(setFailureType(to: StreamError.self).succeeding()) }
}

extension Outcome {
  /// Replaces values in an endless circle of changes.
  static var endless: Outcome {
    .failure(StreamError(status: STREAMS_LIMIT, "changes follow from each other without an end"))
  }
}

extension ValuePublisher {
  /// The values, and the failure as the last one.
  var outcomes: AnyPublisher<Outcome, Never> {
    map { Outcome.success($0) }.catch { Just(Outcome.failure($0)) }.eraseToAnyPublisher()
  }
}

extension Property<Outcome> {
  /// A property of the result of `combine` for the values of several properties, or of the error of one without a value.
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

  /// Ignores values for which `isIncluded` returns false. If it fails, the property has the error.
  func filtered(
    _ initialFallback: Value, _ isIncluded: @escaping (Value) throws(StreamError) -> Bool
  ) -> Property<Outcome> {
    compactMapped(initialFallback) { value throws(StreamError) in try isIncluded(value) ? value : nil }
  }

  /// Ignores values for which `transform` returns nil. If it fails, the property has the error.
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

  /// Combines the last result of `combine` with each later value.
  func scanned(_ initial: Value, _ combine: @escaping (Value, Value) -> Outcome) -> Property<Outcome> {
    var accumulated = initial
    return scan(.success(initial)) { _, outcome in
      let made = outcome.flatMap { combine(accumulated, $0) }
      if case .success(let value) = made { accumulated = value }
      return made
    }
  }

  /// Ignores values that are the same as the current one.
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
