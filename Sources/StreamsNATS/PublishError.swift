internal import StreamsABI

/// Why a stream could not be published.
public enum PublishError<Upstream: Error>: Error {
  /// The publisher of the values has failed. What came before is confirmed.
  case upstream(Upstream)
  /// A value could not be stored: which one, from 0 on, where it was to go, and why. Those before it may be stored or not.
  case value(index: Int, subject: String, NATSError)
  /// The function that makes messages of values has thrown for a value: which one, from 0 on.
  case message(index: Int, any Error)
  /// The connection is closed, or an option is wrong.
  case connection(NATSError)

  init(_ failure: HeldFailure) {
    if let cause = failure.cause as? BadMessage {
      self = .message(index: cause.index, cause.error)
    } else if let cause = failure.cause as? Upstream {
      self = .upstream(cause)
    } else if let parts = failure.object?.items, let index = parts.first?.integer, parts.count > 1 {
      self = .value(index: Int(index), subject: parts[1].text ?? "", NATSError(failure))
    } else {
      self = .connection(NATSError(failure))
    }
  }
}

extension PublishError: CustomStringConvertible {
  /// What has failed, and why.
  public var description: String {
    switch self {
    case .upstream(let error): "\(error)"
    case .value(_, _, let error): error.description
    case .message(let index, let error): "no message could be made of value \(index): \(error)"
    case .connection(let error): error.description
    }
  }
}

extension PublishError: Sendable where Upstream: Sendable {}

/// What the function for messages has thrown.
struct BadMessage: Error {
  let index: Int
  let error: any Error
}
