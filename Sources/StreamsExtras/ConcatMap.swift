public import Streams

extension Publisher {
  /// Makes a publisher from each value and sends the values of these publishers one publisher after the other.
  ///
  /// It is `flatMap` with one publisher at a time, but it loses nothing. With unlimited demand it requests everything, and
  /// buffers what an upstream that sends at its own pace, such as a subject, sends too early. An upstream that answers requests
  /// immediately, such as a sequence, can wait and may be infinite: it is asked for the next value when the publisher before has
  /// finished; or for 256 values ahead, if another publisher follows it in an `append` or `prepend`, because that may be a
  /// subject, whose values are lost before it is subscribed to. While the downstream's demand is limited, every upstream is asked
  /// for one value at a time. `flatMap(maxPublishers: .max(1))` buffers nothing, whatever the demand.
  ///
  /// Whether the upstream sends at its own pace is found out by its answers, and known of this library's subjects and
  /// properties. Only where a publisher that answers immediately is merged with a subject type of your own, which drops values
  /// without demand, the answers hide the subject: then put a `buffer` behind that.
  ///
  /// A publisher that fails ends the stream and cancels this publisher, which `flatMap` leaves running. A failure of this
  /// publisher ends the stream immediately, too. Both, and cancellation, drop the values that wait.
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
