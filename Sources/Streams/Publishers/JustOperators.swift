// Operators on a publisher of one value compute their result immediately, and return a publisher of one
// value, of an optional value, or of a result. The closures run, with their side effects, when the operator
// is applied.

extension Just where Output: Comparable {
  /// The value itself.
  @inlinable
  public func min() -> Just<Output> { self }

  /// The value itself.
  @inlinable
  public func max() -> Just<Output> { self }
}

extension Just where Output: Equatable {
  /// Whether the value equals `output`.
  @inlinable
  public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }

  /// The value itself.
  @inlinable
  public func removeDuplicates() -> Just<Output> { self }
}

// MARK: - Matching

extension Just {
  /// Whether the value satisfies `predicate`.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

  /// Whether the value satisfies `predicate`, or the error it throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Whether the value satisfies `predicate`.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

  /// Whether the value satisfies `predicate`, or the error it throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }
}

// MARK: - Selecting

extension Just {
  /// The value, if it satisfies `isIncluded`.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    .init(isIncluded(output) ? output : nil)
  }

  /// The value itself.
  @inlinable
  public func first() -> Just<Output> { self }

  /// The value, if it satisfies `predicate`.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The value itself.
  @inlinable
  public func last() -> Just<Output> { self }

  /// The value, if it satisfies `predicate`.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The value itself; the closure is not called.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// The value itself; the closure is not called.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Nothing, or the value if `count` is 0. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    precondition(count >= 0, "a negative number of values cannot be dropped")
    return .init(count > 0 ? nil : output)
  }

  /// The value, unless it satisfies `predicate`.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    filter { !predicate($0) }
  }

  /// The value, or nothing if `maxLength` is 0. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    precondition(maxLength >= 0, "a prefix cannot have a negative length")
    return .init(maxLength > 0 ? output : nil)
  }

  /// The value, if it satisfies `predicate`.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The value, if `index` is 0. Traps if `index` is negative.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    precondition(index >= 0, "the position is before the first value")
    return .init(index == 0 ? output : nil)
  }

  /// The value, if `range` begins at 0; as in Combine, also if the range is empty.
  @inlinable
  public func output<RangeExpression: Swift.RangeExpression>(
    in range: RangeExpression
  ) -> Optional<Output>.Publisher where RangeExpression.Bound == Int {
    .init(range.relative(to: 0..<Int.max).lowerBound == 0 ? output : nil)
  }

  /// Finishes without a value.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> { Empty<Output, Never>() }

  /// The value itself; the closure is not called.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// The value, or the error that `predicate` throws when it compares the value with itself.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { value in
      _ = try predicate(value, value)
      return value
    }
  }
}

// MARK: - Transforming

extension Just {
  /// The transformed value.
  @inlinable
  public func map<ElementOfResult>(_ transform: (Output) -> ElementOfResult) -> Just<ElementOfResult> {
    Just<ElementOfResult>(transform(output))
  }

  /// The transformed value, or the error that `transform` throws.
  @inlinable
  public func tryMap<ElementOfResult>(
    _ transform: (Output) throws -> ElementOfResult
  ) -> Result<ElementOfResult, any Error>.Publisher {
    .init(Result { try transform(output) })
  }

  /// The transformed value, unless it is nil.
  @inlinable
  public func compactMap<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult?
  ) -> Optional<ElementOfResult>.Publisher {
    .init(transform(output))
  }

  /// The value in an array.
  @inlinable
  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// The number 1.
  @inlinable
  public func count() -> Just<Int> { Just<Int>(1) }

  /// The result of folding the value into `initialResult`.
  @inlinable
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Never>.Publisher {
    .init(nextPartialResult(initialResult, output))
  }

  /// The result of folding the value into `initialResult`, or the error that the closure throws.
  @inlinable
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// The result of folding the value into `initialResult`.
  @inlinable
  public func scan<ElementOfResult>(
    _ initialResult: ElementOfResult, _ nextPartialResult: (ElementOfResult, Output) -> ElementOfResult
  ) -> Result<ElementOfResult, Never>.Publisher {
    .init(nextPartialResult(initialResult, output))
  }

  /// The result of folding the value into `initialResult`, or the error that the closure throws.
  @inlinable
  public func tryScan<ElementOfResult>(
    _ initialResult: ElementOfResult, _ nextPartialResult: (ElementOfResult, Output) throws -> ElementOfResult
  ) -> Result<ElementOfResult, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }
}

// MARK: - Errors

extension Just {
  /// The value, with a type of failure.
  @inlinable
  public func setFailureType<Failure: Error>(
    to failureType: Failure.Type
  ) -> Result<Output, Failure>.Publisher {
    .init(.success(output))
  }

  /// The value, with a type of failure; the closure is not called.
  @inlinable
  public func mapError<Failure: Error>(_ transform: (Never) -> Failure) -> Result<Output, Failure>.Publisher {
    .init(.success(output))
  }

  /// The value itself.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> { self }

  /// The value itself.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// The value itself.
  @inlinable
  public func retry(_ times: Int) -> Just<Output> { self }
}

// MARK: - Adding values

extension Just {
  /// The values of `elements`, then the value.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

  /// The values of `elements`, then the value.
  @inlinable
  public func prepend<S: Sequence>(
    _ elements: S
  ) -> Publishers.Sequence<[Output], Never> where Output == S.Element {
    Publishers.Sequence(sequence: elements + [output])
  }

  /// The value, then the values of `elements`.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

  /// The value, then the values of `elements`.
  @inlinable
  public func append<S: Sequence>(
    _ elements: S
  ) -> Publishers.Sequence<[Output], Never> where Output == S.Element {
    Publishers.Sequence(sequence: [output] + elements)
  }
}
