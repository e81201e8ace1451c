internal import CStreams
internal import CStreamsNATS
internal import StreamsABI

/// Why NATS, or the library that talks with it, has refused something.
///
///     do {
///       try key.set("2", at: revision)
///     } catch where error.code == .wrongLastSequence {
///       print("somebody else was faster")
///     }
public struct NATSError: Error, Hashable, Sendable {
  /// What was refused, as a number.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// JetStream's error code, from 10000 on, or nats.c's `natsStatus`. 0 if neither was asked, as for a bad argument.
    public let rawValue: Int
    /// A code of JetStream's or nats.c's.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The call was refused before anybody was asked: an argument is wrong, or the message is settled.
    public static let refused = Code(rawValue: 0)
    /// The connection is closed.
    public static let connectionClosed = Code(rawValue: 5)
    /// More messages came than there was room for.
    public static let noRoom = Code(rawValue: 20)
    /// The message is larger than the server takes.
    public static let tooLarge = Code(rawValue: 21)
    /// There was no answer in time.
    public static let timedOut = Code(rawValue: 26)
    /// Nobody answers requests to the subject.
    public static let noResponders = Code(rawValue: 34)
    /// The server has no such consumer.
    public static let consumerNotFound = Code(rawValue: 10014)
    /// The server has no such stream.
    public static let streamNotFound = Code(rawValue: 10059)
    /// A key has another revision than the expected one.
    public static let wrongLastSequence = Code(rawValue: 10071)
  }

  /// What was refused, as a number.
  public let code: Code
  /// What was refused, and why.
  public let message: String

  /// An error, as tests need one.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}

extension NATSError: CustomStringConvertible {
  /// The message and the code.
  public var description: String { code == .refused ? message : "\(message) (\(code.rawValue))" }
}

extension NATSError {
  /// Why the last call of this thread has failed.
  static var last: NATSError {
    NATSError(
      code: Code(rawValue: Int(streams_nats_last_code())),
      message: String(cString: streams_last_message()))
  }

  /// Why a stream has failed.
  init(_ failure: HeldFailure) {
    let isOfNATS = failure.domain == STREAMS_NATS_DOMAIN
    self.init(code: isOfNATS ? Code(rawValue: Int(failure.code)) : .refused, message: failure.message)
  }
}

/// Throws the error of a call that has failed.
func check(_ status: streams_status) throws(NATSError) {
  if status != STREAMS_OK { throw .last }
}
