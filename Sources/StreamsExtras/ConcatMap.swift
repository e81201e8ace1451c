public import Streams

extension Publisher {
  /// Makes a publisher of each value and sends the values of all of them, those of the first before those of the second.
  ///
  /// It is `flatMap` with one publisher at a time that loses nothing: with unlimited demand it asks for everything, and what
  /// an upstream that sends when it likes, such as a subject, sends before its time waits. An upstream that answers
  /// a request at once, such as a sequence, can wait itself: it is asked for a value when the publisher before has
  /// finished, and may be without end. While the downstream's demand is limited, every upstream is asked for one at a time.
  /// With `flatMap(maxPublishers: .max(1))` nothing waits, whatever the demand.
  ///
  /// A publisher that fails ends the stream, and this publisher is cancelled, which `flatMap` leaves running. A failure
  /// of this publisher ends it at once too. In both cases, and when it is cancelled, what waits is dropped.
  ///
  ///     let cancellable = [1, 2].publisher.concatMap { [$0, $0 * 10].publisher }.sink { print($0) }
  ///     // 1, 10, 2, 20
  ///
  /// - Parameter transform: Makes the publishers. It is called on the thread on which the value arrives.
  public func concatMap<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> Publishers.FlatMap<Inner, Self> where Inner.Failure == Failure {
    var publisher = flatMap(maxPublishers: .max(1), transform).strict()
    publisher.keepsValues = true
    return publisher
  }
}
