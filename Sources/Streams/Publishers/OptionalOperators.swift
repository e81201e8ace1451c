// Operators on a publisher of an optional value compute their result immediately. Without a value there is
// nothing to count or to fold, so their results are empty as well; only `collect` makes an empty array.

extension Optional.Publisher where Wrapped: Equatable {
  /// Whether the value equals `output`.
  @inlinable
  public func contains(_ output: Output) -> Optional<Bool>.Publisher { map { $0 == output } }

  /// The value itself.
  @inlinable
  public func removeDuplicates() -> Optional<Wrapped>.Publisher { self }
}

extension Optional.Publisher where Wrapped: Comparable {
  /// The value itself.
  @inlinable
  public func min() -> Optional<Wrapped>.Publisher { self }

  /// The value itself.
  @inlinable
  public func max() -> Optional<Wrapped>.Publisher { self }
}

// MARK: - Selecting

extension Optional.Publisher {
  /// The value, if it satisfies `isIncluded`.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// The value itself.
  @inlinable
  public func first() -> Optional<Output>.Publisher { self }

  /// The value, if it satisfies `predicate`.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The value itself.
  @inlinable
  public func last() -> Optional<Output>.Publisher { self }

  /// The value, if it satisfies `predicate`.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher { filter(predicate) }

  /// The value itself; the closure is not called.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher { self }

  /// The value itself; the closure is not called.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher { self }

  /// Nothing, or the value if `count` is 0. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    precondition(count >= 0, "a negative number of values cannot be dropped")
    return .init(count == 0 ? output : nil)
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

  /// The value, if `range` contains 0. Traps if the range begins before 0, or ends at `Int.max - 1` or later.
  @inlinable
  public func output<RangeExpression: Swift.RangeExpression>(
    in range: RangeExpression
  ) -> Optional<Output>.Publisher where RangeExpression.Bound == Int {
    let range = range.relative(to: 0..<Int.max)
    precondition(range.lowerBound >= 0, "the range starts before the first value")
    precondition(range.upperBound < Int.max - 1, "the range ends too late")
    return .init(range.contains(0) ? output : nil)
  }

  /// Finishes without a value.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty<Output, Failure>() }

  /// The value itself; the closure is not called.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Output>.Publisher { self }
}

// MARK: - Transforming

extension Optional.Publisher {
  /// Whether the value satisfies `predicate`.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

  /// Whether the value satisfies `predicate`.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher { map(predicate) }

  /// The transformed value.
  @inlinable
  public func map<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult
  ) -> Optional<ElementOfResult>.Publisher {
    .init(output.map(transform))
  }

  /// The transformed value, unless it is nil.
  @inlinable
  public func compactMap<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult?
  ) -> Optional<ElementOfResult>.Publisher {
    .init(output.flatMap(transform))
  }

  /// An array of the value, empty if there is none.
  @inlinable
  public func collect() -> Optional<[Output]>.Publisher { .init(output.map { [$0] } ?? []) }

  /// The number 1, or nothing if there is no value.
  @inlinable
  public func count() -> Optional<Int>.Publisher { map { _ in 1 } }

  /// The result of folding the value into `initialResult`, or nothing if there is no value.
  @inlinable
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Optional<Accumulator>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// The result of folding the value into `initialResult`.
  @inlinable
  public func scan<ElementOfResult>(
    _ initialResult: ElementOfResult, _ nextPartialResult: (ElementOfResult, Output) -> ElementOfResult
  ) -> Optional<ElementOfResult>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }
}

// MARK: - Replacing

extension Optional.Publisher {
  /// The value itself.
  @inlinable
  public func replaceError(with output: Output) -> Optional<Output>.Publisher { self }

  /// The value, or `output` if there is none.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> { Just<Output>(self.output ?? output) }

  /// The value itself.
  @inlinable
  public func retry(_ times: Int) -> Optional<Output>.Publisher { self }
}
