public import Streams

extension Publisher {
  /// Shares one subscription to this publisher among several subscribers, each of which gets the latest values first.
  ///
  /// The upstream is subscribed to for the first subscriber and cancelled with the last one; the next one gets what is
  /// kept and leads to another subscription. The upstream is asked for all its values. What a subscriber gets that
  /// comes late, or is behind on demand, is as for ``ReplaySubject``: who comes after the completion gets the values
  /// that are kept, and then that; the upstream is not subscribed to again then. A subscriber's values come on the thread
  /// on which the upstream sends them, and those that are kept on the thread that requests them.
  ///
  ///     let shared = download.share(replay: 1)
  ///     let cancellables = [shared.sink(receiveValue: show), shared.sink(receiveValue: save)]
  ///
  /// - Parameter bufferSize: How many values are kept.
  @inlinable
  public func share(
    replay bufferSize: Int
  ) -> Publishers.Autoconnect<Publishers.Multicast<Self, ReplaySubject<Output, Failure>>> {
    multicast(subject: ReplaySubject(bufferSize: bufferSize)).autoconnect()
  }
}
