extension Publishers {
  /// A publisher that sends the elements of a sequence on demand, and finishes after the last.
  ///
  /// Elements are taken from the sequence one at a time, always one ahead of the element that is sent; so the
  /// publisher finishes right after the last one, without another request. An empty sequence finishes
  /// immediately. After cancellation no more elements are taken.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The values are the sequence's elements.
    public typealias Output = Elements.Element

    /// The sequence whose elements are sent.
    public let sequence: Elements

    /// Makes a publisher of the elements of `sequence`.
    @inlinable
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    /// Sends `subscriber` the elements, as fast as it requests them.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Failure == S.Failure, Elements.Element == S.Input {
      SequenceLoop.start(
        subscriber, sequence: sequence, completion: .finished,
        reflection: .init(ended: "Sequence", emptySequence: [Output]()))
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence {
  /// A publisher that sends the elements of this sequence.
  ///
  ///     let cancellable = (1...3).publisher.sink { print($0) }
  ///     // 1, 2, 3
  @inlinable
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}
