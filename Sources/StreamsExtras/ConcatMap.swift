public import Streams

extension Publisher {
  /// Makes a publisher of each value and sends the values of all of them, those of the first before those of the second.
  ///
  /// It is `flatMap` with one publisher at a time: the next value is asked for when a publisher has finished. What an
  /// upstream sends that cannot wait, as a subject, is lost meanwhile, also where everything is demanded; a
  /// `buffer(size:prefetch:whenFull:)` behind it keeps that. A publisher that fails ends the stream, and this publisher is
  /// cancelled, which `flatMap` leaves running.
  ///
  ///     let ticket = [1, 2].publisher.concatMap { [$0, $0 * 10].publisher }.sink { print($0) }
  ///     // 1, 10, 2, 20
  ///
  /// - Parameter transform: Makes the publishers. It is called on the thread on which the value arrives.
  public func concatMap<Inner: Publisher>(
    _ transform: @escaping (Output) -> Inner
  ) -> Publishers.FlatMap<Inner, Self> where Inner.Failure == Failure {
    flatMap(maxPublishers: .max(1), transform).strict()
  }
}
