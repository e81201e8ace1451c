public import Streams

extension Publisher {
  /// Shares one subscription to this publisher among several subscribers, each of which gets the latest values first.
  ///
  /// The first subscriber subscribes to the upstream, which is asked for all its values; the last one to leave cancels it. A
  /// subscriber that comes after that gets the kept values and causes another subscription. For subscribers that come late or are
  /// behind on demand see ``ReplaySubject``: a subscriber that comes after the completion gets the kept values and then the
  /// completion, and the upstream is not subscribed to again. Values arrive on the thread on which the upstream sends them, kept
  /// values on the thread that requests them.
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
