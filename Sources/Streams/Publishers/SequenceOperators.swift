// Operators on a publisher of a sequence work on the sequence, when they are applied. Which of the sequence's
// methods they call is part of the behavior: the count of a range does not walk through it.

extension Publishers.Sequence where Failure == Never {
  /// The smallest element, found with `areInIncreasingOrder`.
  @inlinable
  public func min(
    by areInIncreasingOrder: (Elements.Element, Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher {
    .init(sequence.min(by: areInIncreasingOrder))
  }

  /// The largest element, found with `areInIncreasingOrder`.
  @inlinable
  public func max(
    by areInIncreasingOrder: (Elements.Element, Elements.Element) -> Bool
  ) -> Optional<Elements.Element>.Publisher {
    .init(sequence.max(by: areInIncreasingOrder))
  }

  /// The first element that satisfies `predicate`.
  @inlinable
  public func first(where predicate: (Elements.Element) -> Bool) -> Optional<Elements.Element>.Publisher {
    .init(sequence.first(where: predicate))
  }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
  /// The smallest element.
  @inlinable
  public func min() -> Optional<Elements.Element>.Publisher { .init(sequence.min()) }

  /// The largest element.
  @inlinable
  public func max() -> Optional<Elements.Element>.Publisher { .init(sequence.max()) }
}

// MARK: - Reducing

extension Publishers.Sequence {
  /// Whether all elements satisfy `predicate`.
  @inlinable
  public func allSatisfy(_ predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
    .init(.success(sequence.allSatisfy(predicate)))
  }

  /// Whether all elements satisfy `predicate`, or the error it throws.
  @inlinable
  public func tryAllSatisfy(
    _ predicate: (Elements.Element) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    .init(Result { try sequence.allSatisfy(predicate) })
  }

  /// All elements in one array.
  @inlinable
  public func collect() -> Result<[Elements.Element], Failure>.Publisher { .init(.success(Array(sequence))) }

  /// Whether an element satisfies `predicate`.
  @inlinable
  public func contains(where predicate: (Elements.Element) -> Bool) -> Result<Bool, Failure>.Publisher {
    .init(.success(sequence.contains(where: predicate)))
  }

  /// Whether an element satisfies `predicate`, or the error it throws.
  @inlinable
  public func tryContains(
    where predicate: (Elements.Element) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    .init(Result { try sequence.contains(where: predicate) })
  }

  /// The elements folded into one value.
  @inlinable
  public func reduce<Accumulator>(
    _ initialResult: Accumulator,
    _ nextPartialResult: @escaping (Accumulator, Elements.Element) -> Accumulator
  ) -> Result<Accumulator, Failure>.Publisher {
    .init(.success(sequence.reduce(initialResult, nextPartialResult)))
  }

  /// The elements folded into one value, or the error that the closure throws.
  @inlinable
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator,
    _ nextPartialResult: @escaping (Accumulator, Elements.Element) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    .init(Result { try sequence.reduce(initialResult, nextPartialResult) })
  }

  /// Finishes without a value.
  @inlinable
  public func ignoreOutput() -> Empty<Elements.Element, Failure> { Empty<Elements.Element, Failure>() }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Whether an element equals `output`.
  @inlinable
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
    .init(.success(sequence.contains(output)))
  }

  /// The elements without those that equal the one before.
  @inlinable
  public func removeDuplicates() -> Publishers.Sequence<[Elements.Element], Failure> {
    var last: Elements.Element?
    return filter { element in
      defer { last = element }
      return element != last
    }
  }
}

// MARK: - Transforming

extension Publishers.Sequence {
  /// The transformed elements.
  @inlinable
  public func map<ElementOfResult>(
    _ transform: (Elements.Element) -> ElementOfResult
  ) -> Publishers.Sequence<[ElementOfResult], Failure> {
    .init(sequence: sequence.map(transform))
  }

  /// The transformed elements that are not nil.
  @inlinable
  public func compactMap<ElementOfResult>(
    _ transform: (Elements.Element) -> ElementOfResult?
  ) -> Publishers.Sequence<[ElementOfResult], Failure> {
    .init(sequence: sequence.compactMap(transform))
  }

  /// The elements, each nil replaced with `output`.
  @inlinable
  public func replaceNil<ElementOfResult>(
    with output: ElementOfResult
  ) -> Publishers.Sequence<[Elements.Element], Failure> where Elements.Element == ElementOfResult? {
    .init(sequence: sequence.map { $0 ?? output })
  }

  /// The results of folding the elements one by one.
  @inlinable
  public func scan<ElementOfResult>(
    _ initialResult: ElementOfResult,
    _ nextPartialResult: @escaping (ElementOfResult, Elements.Element) -> ElementOfResult
  ) -> Publishers.Sequence<[ElementOfResult], Failure> {
    var result = initialResult
    return map { element in
      result = nextPartialResult(result, element)
      return result
    }
  }

  /// The elements, with a type of failure.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to error: NewFailure.Type
  ) -> Publishers.Sequence<Elements, NewFailure> {
    .init(sequence: sequence)
  }
}

// MARK: - Selecting

extension Publishers.Sequence {
  /// The elements that satisfy `isIncluded`.
  @inlinable
  public func filter(
    _ isIncluded: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    .init(sequence: sequence.filter(isIncluded))
  }

  /// The elements from the first one that does not satisfy `predicate`.
  @inlinable
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    .init(sequence: sequence.drop(while: predicate))
  }

  /// The elements without the first `count`.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    .init(sequence: sequence.dropFirst(count))
  }

  /// The first `maxLength` elements.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    .init(sequence: sequence.prefix(maxLength))
  }

  /// The elements before the first one that does not satisfy `predicate`.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    .init(sequence: sequence.prefix(while: predicate))
  }
}
