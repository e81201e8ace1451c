internal import CStreams
internal import CStreamsNATS

/// A stream of the server. What is nil has its default: no limit.
///
///     var options = StreamOptions("ORDERS", subjects: ["orders.>"])
///     options.maxAge = .seconds(86_400)
///     try connection.createStream(options)
public struct StreamOptions: Sendable {
  /// What a stream keeps.
  public enum Retention: Hashable, Sendable {
    /// All, within the limits.
    case limits
    /// What some consumer has not acknowledged.
    case interest
    /// What has not been acknowledged.
    case work
  }

  /// Its name, without spaces, control characters, quotes, backslashes, or any of `.*>`.
  public var name: String
  /// What is published to these subjects is stored; with none, what is published to the name.
  public var subjects: [String]
  /// Words for people.
  public var description: String?
  /// What it keeps.
  public var retention: Retention
  /// How many messages it keeps.
  public var maxMessages: Int?
  /// How many bytes it keeps.
  public var maxBytes: Int?
  /// How many messages it keeps of each subject.
  public var maxMessagesPerSubject: Int?
  /// How large a message may be.
  public var maxMessageSize: Int?
  /// How long it keeps a message.
  public var maxAge: Duration?
  /// How long it remembers the ids of messages; 2 minutes.
  public var duplicates: Duration?
  /// How many servers of a cluster keep it; 1.
  public var replicas: Int?
  /// Whether it is in memory rather than in files.
  public var isInMemory: Bool
  /// Whether it refuses what is new at a limit, rather than drop what is old.
  public var discardsNew: Bool

  /// A stream without limits.
  public init(_ name: String, subjects: [String] = [], retention: Retention = .limits) {
    self.name = name
    self.subjects = subjects
    self.retention = retention
    isInMemory = false
    discardsNew = false
  }

  /// Lends the options to C.
  func withRaw(
    _ body: (UnsafePointer<streams_nats_stream_options>) -> streams_status
  ) throws(NATSError) {
    let texts = Texts()
    var raw = streams_nats_stream_options()
    raw.size = MemoryLayout<streams_nats_stream_options>.size
    raw.name = try texts(name, "name")
    raw.description = try texts(description, "description")
    raw.retention =
      switch retention {
      case .limits: STREAMS_NATS_RETAIN_LIMITS
      case .interest: STREAMS_NATS_RETAIN_INTEREST
      case .work: STREAMS_NATS_RETAIN_WORK
      }
    raw.max_messages = Int64(maxMessages ?? 0)
    raw.max_bytes = Int64(maxBytes ?? 0)
    raw.max_messages_per_subject = Int64(maxMessagesPerSubject ?? 0)
    raw.max_message_size = Int64(maxMessageSize ?? 0)
    raw.max_age = maxAge?.nanoseconds ?? 0
    raw.duplicates = duplicates?.nanoseconds ?? 0
    raw.replicas = Int64(replicas ?? 0)
    raw.memory = isInMemory
    raw.discard_new = discardsNew
    var list: [UnsafePointer<CChar>?] = []
    for subject in subjects { list.append(try texts(subject, "a subject")) }
    let status = list.withUnsafeBufferPointer { list in
      raw.subjects = list.isEmpty ? nil : list.baseAddress
      raw.subject_count = list.count
      return body(&raw)
    }
    withExtendedLifetime(texts) {}
    try check(status)
  }
}

/// What is in a stream.
public struct StreamInfo: Hashable, Sendable {
  /// How many messages it has.
  public let messages: UInt64
  /// How many bytes they take.
  public let bytes: UInt64
  /// The number of the oldest message that is kept.
  public let firstSequence: UInt64
  /// That of the last one that was stored.
  public let lastSequence: UInt64
  /// How many consumers it has.
  public let consumers: Int
  /// How many subjects its messages have.
  public let subjects: Int
}

/// Where a consumer is.
public struct ConsumerInfo: Hashable, Sendable {
  /// The number in the stream of the last message that was delivered.
  public let delivered: UInt64
  /// The number in the stream up to which all are acknowledged.
  public let acknowledged: UInt64
  /// How many are not delivered yet.
  public let pending: UInt64
  /// How many are delivered and not acknowledged.
  public let acknowledgePending: Int
  /// How many have been delivered more than once.
  public let redelivered: Int
  /// How many requests for messages wait.
  public let waiting: Int
}
