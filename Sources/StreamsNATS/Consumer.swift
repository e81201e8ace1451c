internal import CStreams
internal import CStreamsNATS
public import Streams

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A consumer of a stream of the server. What is nil has the server's default.
///
///     var consumer = Consumer("ORDERS", durable: "workers")
///     consumer.filter = "orders.eu.>"
///     consumer.acknowledgement = .byHand
///     let orders = connection.consume(consumer)
public struct Consumer: Sendable {
  /// Where a new consumer begins.
  public enum Start: Hashable, Sendable {
    /// With the oldest message.
    case all
    /// With the first message that is stored after the consumer was made.
    case new
    /// With the last message.
    case last
    /// With the last message of each subject. It needs a filter.
    case lastPerSubject
    /// With the message of a number.
    case sequence(UInt64)
    /// With the first message that was stored at that time or later. In the first tenth of a second it is the second's beginning,
    /// because of nats.c.
    case time(Date)
  }

  /// Who acknowledges messages.
  public enum Acknowledgement: Hashable, Sendable {
    /// The stream, when the subscriber has returned from the message.
    ///
    /// With an operator that queues behind it, such as `receive(on:)` or `buffer`, or with `publish(to:subject:)`, that is before
    /// the message is handled: acknowledge by hand. A message during which the stream fails or is cancelled may not have been
    /// handled, and is rejected, as the n-th is by `prefix(n)`; a subscriber that cancels when it has what it wants must acknowledge
    /// first.
    case afterValue
    /// The program, by ``Message/acknowledge()`` and its neighbors.
    case byHand
    /// Nobody: the server counts what it has sent as done.
    case none
  }

  /// The stream of the server.
  public var stream: String
  /// The name of a consumer that the server remembers, and that several processes can share; it is made if there is none, and
  /// otherwise taken as it is. Nil: an ephemeral one, which goes when its subscriber has gone.
  public var durable: String?
  /// Only messages of this subject, which may have wildcards.
  public var filter: String?
  /// Where the consumer begins.
  public var start: Start
  /// After what time a message that nobody has acknowledged comes again; 30 seconds.
  public var acknowledgeWait: Duration?
  /// How often a message comes at most; for ever.
  public var maxDeliver: Int?
  /// How many messages may be delivered and not acknowledged, for all that share the consumer.
  public var maxAcknowledgePending: Int?
  /// Who acknowledges messages.
  public var acknowledgement: Acknowledgement
  /// The largest number outstanding, whatever is demanded; 1,000.
  public var window: Int?
  /// How long the server keeps an ephemeral consumer without its subscriber, as while the connection is gone; a minute.
  public var inactive: Duration?

  /// A consumer of a stream, a durable one if it has a name.
  public init(
    _ stream: String, durable: String? = nil, filter: String? = nil, start: Start = .all,
    acknowledgement: Acknowledgement = .afterValue
  ) {
    self.stream = stream
    self.durable = durable
    self.filter = filter
    self.start = start
    self.acknowledgement = acknowledgement
  }

  func raw(_ texts: Texts) throws(NATSError) -> streams_nats_consume_options {
    var raw = streams_nats_consume_options()
    raw.size = MemoryLayout<streams_nats_consume_options>.size
    raw.stream = try texts(stream, "stream")
    raw.durable = try texts(durable, "durable")
    raw.filter = try texts(filter, "filter")
    setStart(of: &raw)
    raw.acknowledge_wait = acknowledgeWait?.nanoseconds ?? 0
    raw.max_deliver = Int64(maxDeliver ?? 0)
    raw.max_acknowledge_pending = Int64(maxAcknowledgePending ?? 0)
    raw.acknowledgement =
      switch acknowledgement {
      case .afterValue: STREAMS_NATS_ACKNOWLEDGE_AFTER
      case .byHand: STREAMS_NATS_ACKNOWLEDGE_BY_HAND
      case .none: STREAMS_NATS_ACKNOWLEDGE_NONE
      }
    if let window {
      guard window > 0 else {
        throw NATSError(code: .refused, message: "window is \(window), but has to be at least 1")
      }
      raw.most = UInt64(window)
    }
    raw.inactive = inactive?.nanoseconds ?? 0
    return raw
  }

  private func setStart(of raw: inout streams_nats_consume_options) {
    switch start {
    case .all: raw.deliver = STREAMS_NATS_DELIVER_ALL
    case .new: raw.deliver = STREAMS_NATS_DELIVER_NEW
    case .last: raw.deliver = STREAMS_NATS_DELIVER_LAST
    case .lastPerSubject: raw.deliver = STREAMS_NATS_DELIVER_LAST_PER_SUBJECT
    case .sequence(let sequence):
      raw.deliver = STREAMS_NATS_DELIVER_FROM_SEQUENCE
      raw.start_sequence = sequence
    case .time(let time):
      raw.deliver = STREAMS_NATS_DELIVER_FROM_TIME
      raw.start_time = time.nanoseconds
    }
  }
}

extension Connection {
  /// Publishes the messages of a consumer. Each subscriber makes a consumer, or shares the durable one.
  ///
  ///     connection.consume(Consumer("ORDERS", durable: "workers"))
  ///       .sink { print($0) } receiveValue: { handle($0) }
  ///
  /// **Demand**: what is demanded is fetched, and no more is outstanding than that, nor than the consumer's window. The next part
  /// is asked for when half is used up, so a steady reader does not wait for the server.
  ///
  /// **Completion**: none. It fails if the stream or the consumer is not there, or is deleted, when the connection is closed, and
  /// at once if the consumer's options are wrong. Without a server it waits for the connection.
  ///
  /// **Cancellation**: messages that were delivered and not acknowledged are rejected at once, also those that were to be
  /// acknowledged by hand. Messages still in flight are rejected on arrival and are delivered again 0.3 s later. None is lost: the
  /// server delivers each until it is acknowledged. One may come more than once, as when a process or the server dies before an
  /// acknowledgement arrives.
  ///
  /// **Threads**: values come on a thread of nats.c's.
  public func consume(_ consumer: Consumer) -> AnyPublisher<Message, NATSError> {
    do throws(NATSError) {
      let texts = Texts()
      var raw = try consumer.raw(texts)
      let handle = withExtendedLifetime(texts) { streams_nats_consume(self.handle, &raw) }
      return publisher(handle, Message.init(held:))
    } catch {
      return Fail(error: error).eraseToAnyPublisher()
    }
  }

  /// Publishes the messages of a stream, by a consumer that has a name if it is to be shared. See ``consume(_:)``.
  ///
  ///     let orders = connection.consume("ORDERS", durable: "workers")
  public func consume(
    _ stream: String, durable: String? = nil, filter: String? = nil, start: Consumer.Start = .all,
    acknowledgement: Consumer.Acknowledgement = .afterValue
  ) -> AnyPublisher<Message, NATSError> {
    consume(
      Consumer(stream, durable: durable, filter: filter, start: start, acknowledgement: acknowledgement))
  }
}
