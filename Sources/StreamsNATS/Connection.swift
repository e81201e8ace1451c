internal import CStreams
internal import CStreamsNATS
internal import Streams
internal import StreamsABI
public import StreamsProperty

/// A connection to a server of NATS, or to a cluster.
///
///     let connection = try Connection(servers: "nats://127.0.0.1:4222")
///     let cancellable = connection.consume("ORDERS", durable: "workers")
///       .sink { print($0) } receiveValue: { print($0.text) }
///
/// The connection comes back by itself after it was lost, and its streams go on. It is closed when nobody has it any more, and no
/// stream of messages.
///
/// **Threads.** Everything may be used from any thread. Messages, confirmations and answers come on the threads of nats.c's
/// delivery pool, four for all streams of the process; those of one stream come one after another. A subscriber that takes long
/// holds up other streams: put `receive(on:)` in between. A subscriber must not wait for a message, or for the answer of a stream
/// of this module. Functions that ask the server (they say so) wait for its answer, 5 seconds at most, on the thread that calls
/// them, which may be that of a subscriber.
///
/// **Forks.** In the child of a fork, calls with a connection of the parent throw.
public final class Connection: @unchecked Sendable {
  let handle: OpaquePointer

  /// Connects.
  ///
  /// Up to two attempts at each server are made in the call. If none can be reached, the connection goes on trying by itself: its
  /// state is ``State/connecting``, and streams that are subscribed to meanwhile begin when the connection stands. Throws if the
  /// server refuses the credentials, or an option is wrong.
  public init(_ options: Options = Options()) throws(NATSError) {
    let texts = Texts()
    var raw = try options.raw(texts)
    guard let handle = withExtendedLifetime(texts, { streams_nats_connect(&raw) }) else { throw .last }
    self.handle = handle
  }

  /// Connects to one of several servers, with the default options. See ``init(_:)``.
  public convenience init(servers: String...) throws(NATSError) {
    try self.init(Options(servers: servers))
  }

  deinit { streams_nats_release(handle) }

  /// Closes the connection.
  ///
  /// Its streams fail and say so; messages that they had and did not acknowledge are rejected. Waits until what was published has
  /// been sent, about 5 seconds at most; on a thread of this module's it does not wait, and what was published is sent soon after.
  /// Closing again does nothing. Throws in the child of a fork.
  public func close() throws(NATSError) { try check(streams_nats_close(handle)) }

  /// Waits until the server has got all that was published before. Throws if that takes too long, or the connection is closed.
  public func flush(timeout: Duration = .seconds(5)) throws(NATSError) {
    try check(streams_nats_flush(handle, timeout.nanoseconds))
  }

  /// How many messages for core subjects nats.c has dropped, because they came faster than its threads took them: see
  /// ``Options/pendingMessages``. What the buffer of a ``CoreSubject`` drops is not among them.
  public var dropped: UInt64 { streams_nats_dropped(handle) }
}

extension Connection {
  /// Whether a connection stands.
  public enum State: Hashable, Sendable {
    /// It was never connected so far.
    case connecting
    /// It stands.
    case connected
    /// It stood, and tries to do so again.
    case reconnecting
    /// It is closed, by the program or because the server could not be reached.
    case closed

    init(_ raw: streams_nats_state) {
      switch raw {
      case STREAMS_NATS_CONNECTING: self = .connecting
      case STREAMS_NATS_CONNECTED: self = .connected
      case STREAMS_NATS_RECONNECTING: self = .reconnecting
      default: self = .closed
      }
    }
  }

  /// A state, and what the server said.
  public struct Status: Hashable, Sendable {
    /// Whether the connection stands.
    public let state: State
    /// Why it does not stand: each server with its reason, or what the server or nats.c said. It is nil if there is no error, or
    /// none is known any more.
    public let reason: String?
  }

  /// The state at this moment.
  public var state: State { State(streams_nats_get_state(handle)) }

  /// The state, with what the server said, now and from now on. Completes after ``State/closed``. A subscriber that is behind
  /// gets the latest.
  ///
  ///     let cancellable = connection.status.allValues.sink { print($0.state, $0.reason ?? "") }
  public var status: Property<Status> {
    Property(initial: Status(state: state, reason: nil), then: statuses)
  }

  private var statuses: AnyPublisher<Status, Never> {
    SwiftFace.publisher(
      consuming: streams_nats_states(handle), value: { Status($0) }, failure: { NATSError($0) }
    )
    .catch { _ in Empty() }
    .eraseToAnyPublisher()
  }
}

extension Connection.Status {
  fileprivate init(_ pair: HeldValue) {
    let items = pair.items ?? []
    let number = items.first?.integer ?? Int64(STREAMS_NATS_CLOSED.rawValue)
    state = Connection.State(streams_nats_state(rawValue: UInt32(truncatingIfNeeded: number)))
    reason = items.last?.text.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Connection {
  /// Publishes what a function makes of the values of a publisher of C's, and keeps the connection meanwhile. Without a publisher
  /// of C's it fails with the last error.
  func publisher<Output>(
    _ handle: OpaquePointer?, _ value: @escaping (HeldValue) -> Output
  ) -> AnyPublisher<Output, NATSError> {
    guard let handle else { return Fail(error: NATSError.last).eraseToAnyPublisher() }
    return SwiftFace.publisher(
      consuming: handle, value: { [self] held in withExtendedLifetime(self) { value(held) } },
      failure: { NATSError($0) })
  }
}
