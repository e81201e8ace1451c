// Operators on a publisher of a result compute their result immediately. A failure stays as it is, and no
// closure is called.

extension Result.Publisher where Output: Equatable {
  /// Whether the value equals `output`.
  @inlinable
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { map { $0 == output } }

  /// The value itself.
  @inlinable
  public func removeDuplicates() -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Output: Comparable {
  /// The value itself.
  @inlinable
  public func min() -> Result<Output, Failure>.Publisher { self }

  /// The value itself.
  @inlinable
  public func max() -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Failure == Never {
  /// The value, with a type of failure.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    .init(.success(result.get()))
  }
}

// MARK: - Selecting

extension Result.Publisher {
  /// The value itself.
  @inlinable
  public func first() -> Result<Output, Failure>.Publisher { self }

  /// The value itself.
  @inlinable
  public func last() -> Result<Output, Failure>.Publisher { self }

  /// The value itself; the closure is not called.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// The value, or the error that the closure throws when it compares the value with itself.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// The value itself; the closure is not called.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// The value, or the error that the closure throws when it compares the value with itself.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// The value itself; the closure is not called.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

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

  /// Finishes without a value.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty<Output, Failure>() }
}

// MARK: - Transforming

extension Result.Publisher {
  /// The transformed value.
  @inlinable
  public func map<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult
  ) -> Result<ElementOfResult, Failure>.Publisher {
    .init(result.map(transform))
  }

  /// The transformed value, or the error that `transform` throws.
  @inlinable
  public func tryMap<ElementOfResult>(
    _ transform: (Output) throws -> ElementOfResult
  ) -> Result<ElementOfResult, any Error>.Publisher {
    .init(Result<ElementOfResult, any Error> { try transform(result.get()) })
  }

  /// Whether the value satisfies `predicate`.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

  /// Whether the value satisfies `predicate`, or the error it throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Whether the value satisfies `predicate`.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Whether the value satisfies `predicate`, or the error it throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// The value in an array.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher { map { [$0] } }

  /// The number 1.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// The result of folding the value into `initialResult`.
  @inlinable
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
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
  ) -> Result<ElementOfResult, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
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

extension Result.Publisher {
  /// The value, or the transformed failure.
  @inlinable
  public func mapError<TransformedFailure: Error>(
    _ transform: (Failure) -> TransformedFailure
  ) -> Result<Output, TransformedFailure>.Publisher {
    .init(result.mapError(transform))
  }

  /// The value, or `output` instead of a failure.
  @inlinable
  public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    switch result {
    case .success(let value): .init(.success(value))
    case .failure: .init(.success(output))
    }
  }

  /// The value itself.
  @inlinable
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher { self }

  /// The value or the failure itself.
  @inlinable
  public func retry(_ times: Int) -> Result<Output, Failure>.Publisher { self }
}
