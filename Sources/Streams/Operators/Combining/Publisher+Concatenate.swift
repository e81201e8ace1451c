extension Publisher {
  /// Sends the given values before this publisher's.
  ///
  /// This publisher is subscribed when the values have been sent; the demand that is left goes to it.
  /// Failure, cancellation and threads are its own.
  ///
  ///     let cancellable = Just(3).eraseToAnyPublisher().prepend(1, 2).sink { print($0) }
  ///     // 1, 2, 3
  @inlinable
  public func prepend(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }

  /// Sends the values of a sequence before this publisher's.
  ///
  /// Elements are taken from the sequence as values are requested. Everything else is as with the form that
  /// takes the values themselves.
  ///
  ///     let cancellable = Just(10).eraseToAnyPublisher().prepend(1...3).sink { print($0) }
  ///     // 1, 2, 3, 10
  @inlinable
  public func prepend<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where Output == S.Element {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Sends the values of another publisher before this publisher's, which is subscribed when the other has
  /// finished.
  ///
  /// Demand, failure and cancellation are as when this publisher is appended to the other: the demand that is
  /// left goes to this publisher, and a failure of the other ends the stream.
  ///
  ///     let cancellable = updates.prepend(snapshot).sink { show($0) }
  @inlinable
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Sends the given values after this publisher's.
  ///
  /// They are sent when this publisher has finished, as far as there is demand, on the thread on which it
  /// finished or on the one that requests them. A failure of this publisher ends the stream without them.
  ///
  ///     let cancellable = Just(1).eraseToAnyPublisher().append(2, 3).sink { print($0) }
  ///     // 1, 2, 3
  @inlinable
  public func append(
    _ elements: Output...
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(elements)
  }

  /// Sends the values of a sequence after this publisher's.
  ///
  /// Elements are taken from the sequence as values are requested. Everything else is as with the form that
  /// takes the values themselves.
  ///
  ///     let cancellable = Just(10).eraseToAnyPublisher().append(1...3).sink { print($0) }
  ///     // 10, 1, 2, 3
  @inlinable
  public func append<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where Output == S.Element {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Sends the values of another publisher after this publisher's; the other is subscribed when this one has
  /// finished.
  ///
  /// The demand that is left goes to the other publisher. A failure of this publisher ends the stream.
  /// Cancelling cancels the publisher that is subscribed at that moment. The other publisher is subscribed on
  /// the thread on which this one finishes.
  ///
  ///     let cancellable = archive.append(updates).sink { show($0) }
  @inlinable
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }
}
