internal import CStreams
internal import CStreamsNATS
public import Streams

/// A key-value bucket of the server, by its name. Made by ``Connection/bucket(_:)``, which asks for nothing.
///
///     let settings = connection.bucket("settings")
///     try settings.create()
///     let color = settings.key("color")
///     try color.set("red")
public struct Bucket: Sendable {
  /// Its name.
  public let name: String
  let connection: Connection

  /// A bucket to make. What is nil has its default.
  public struct Options: Sendable {
    /// Words for people.
    public var description: String?
    /// How many values of a key are kept: 1 to 64; 1.
    public var history: Int?
    /// How long a value is kept; for ever.
    public var maxAge: Duration?
    /// How many bytes all values may have; no limit.
    public var maxBytes: Int?
    /// How large a value may be; no limit.
    public var maxValueSize: Int?
    /// How many servers of a cluster keep it; 1.
    public var replicas: Int?
    /// Whether it is in memory rather than in files.
    public var isInMemory = false

    /// A bucket that keeps some values of each key.
    public init(history: Int? = nil) { self.history = history }
  }

  /// Makes the bucket; one that is there with the same options is left alone. Asks the server and waits.
  public func create(_ options: Options = Options()) throws(NATSError) {
    let texts = Texts()
    var raw = streams_nats_bucket_options()
    raw.size = MemoryLayout<streams_nats_bucket_options>.size
    raw.name = try texts(name, "name")
    raw.description = try texts(options.description, "description")
    raw.history = Int64(options.history ?? 0)
    raw.max_age = options.maxAge?.nanoseconds ?? 0
    raw.max_bytes = Int64(options.maxBytes ?? 0)
    raw.max_value_size = Int64(options.maxValueSize ?? 0)
    raw.replicas = Int64(options.replicas ?? 0)
    raw.memory = options.isInMemory
    try check(withExtendedLifetime(texts) { streams_nats_bucket_create(connection.handle, &raw) })
  }

  /// Removes the bucket with all that is in it. Asks the server and waits.
  public func delete() throws(NATSError) {
    let texts = Texts()
    let name = try texts(name, "name")
    try check(withExtendedLifetime(texts) { streams_nats_bucket_delete(connection.handle, name) })
  }

  /// A key of the bucket. It has letters, digits and `-/_=.` in its name.
  public func key(_ name: String) -> Key { Key(name: name, bucket: self) }

  /// Publishes the last entry of each key, or of each that a wildcard covers, and then each that follows.
  ///
  ///     let cancellable = bucket.watch("sensor.*")
  ///       .sink { print($0) } receiveValue: { print($0.key, $0.text) }
  ///
  /// **Demand**: entries wait on the server. **Completion**: none. It fails if the bucket is not there, or is deleted, and when
  /// the connection is closed. After a lost connection it goes on after the last entry. **Threads**: values come on a thread of
  /// nats.c's.
  public func watch(_ keys: String? = nil) -> AnyPublisher<Entry, NATSError> {
    entries(keys) { streams_nats_watch($0, $1, $2) }
  }

  func entries(
    _ key: String?,
    _ make: (OpaquePointer, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> OpaquePointer?
  ) -> AnyPublisher<Entry, NATSError> {
    do throws(NATSError) {
      let texts = Texts()
      let (bucket, key) = (try texts(name, "bucket"), try texts(key, "key"))
      let handle = withExtendedLifetime(texts) { make(connection.handle, bucket, key) }
      return connection.publisher(handle) { Entry(message: Message(held: $0)) }
    } catch {
      return Fail(error: error).eraseToAnyPublisher()
    }
  }
}

extension Connection {
  /// A key-value bucket of the server, which may have to be made: see ``Bucket/create(_:)``.
  public func bucket(_ name: String) -> Bucket { Bucket(name: name, connection: self) }
}
