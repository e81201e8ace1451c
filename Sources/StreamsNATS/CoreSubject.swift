internal import CStreams
internal import CStreamsNATS
public import Streams
internal import StreamsABI

/// A core subject: what is published to it now, and a way to publish to it. Made by
/// ``Connection/subject(_:queue:limit:whenFull:)``, which describes it.
public struct CoreSubject: Publisher {
  /// The values are messages.
  public typealias Output = Message
  /// It fails when the connection is closed, or for lack of room.
  public typealias Failure = NATSError

  /// What a stream does with a message for which it has no room.
  public enum WhenFull: Hashable, Sendable {
    /// Drops the message.
    case dropNewest
    /// Drops the message that waits longest.
    case dropOldest
    /// Fails with ``NATSError/Code/noRoom``.
    case fail

    fileprivate var raw: streams_nats_when_full {
      switch self {
      case .dropNewest: STREAMS_NATS_DROP_NEWEST
      case .dropOldest: STREAMS_NATS_DROP_OLDEST
      case .fail: STREAMS_NATS_FAIL
      }
    }
  }

  /// The subject, which may have wildcards.
  public let name: String
  private let connection: Connection
  private let messages: AnyPublisher<Message, NATSError>

  fileprivate init(
    _ name: String, _ connection: Connection, _ messages: AnyPublisher<Message, NATSError>
  ) {
    self.name = name
    self.connection = connection
    self.messages = messages
  }

  /// Subscribes to the subject on behalf of `subscriber`.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Message, S.Failure == NATSError {
    messages.receive(subscriber: subscriber)
  }

  /// Publishes to the subject, which must have no wildcards. See ``Connection/publish(_:to:)``.
  ///
  ///     try connection.subject("greetings").send("hello")
  public func send(_ payload: some Payload) throws(NATSError) { try connection.publish(payload, to: name) }
}

extension Connection {
  /// The messages of a core subject, which may have wildcards, from the subscription on. With a queue group, each message goes to
  /// one of its members.
  ///
  ///     let cancellable = connection.subject("sensors.*.temperature")
  ///       .sink { print($0) } receiveValue: { print($0.subject, $0.text) }
  ///
  /// **Demand**: NATS does not wait for a reader. Up to `limit` messages are kept until they are demanded; what comes beyond is
  /// dropped, or fails the stream. A tracker of StreamsExtras tells of each message that is dropped.
  ///
  /// **Completion**: none. It fails when the connection is closed, or for lack of room.
  ///
  /// **Threads**: values come on a thread of nats.c's, or on one that requests.
  public func subject(
    _ name: String, queue: String? = nil, limit: Int = 1000, whenFull: CoreSubject.WhenFull = .dropOldest
  ) -> CoreSubject {
    do throws(NATSError) {
      let texts = Texts()
      let (subject, group) = (try texts(name, "subject"), try texts(queue, "queue"))
      let handle = streams_nats_subject(handle, subject, group, Int64(limit), whenFull.raw)
      withExtendedLifetime(texts) {}
      return CoreSubject(name, self, publisher(handle, Message.init(held:)))
    } catch {
      return CoreSubject(name, self, Fail(error: error).eraseToAnyPublisher())
    }
  }
}
