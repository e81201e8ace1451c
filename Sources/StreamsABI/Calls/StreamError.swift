import CStreams
import Glibc
import Streams
import Synchronization

/// An object that an error carries.
protocol CarriedObject: AnyObject, Sendable {}

/// Why a stream of the C ABI failed.
final class StreamError: Error {
  private static let count = Atomic<UInt64>(0)

  /// Unique among all errors of the process.
  let number = StreamError.count.wrappingAdd(1, ordering: .relaxed).newValue
  let code: Int64
  /// NUL-terminated; valid as long as the error.
  nonisolated(unsafe) let domain: UnsafeMutablePointer<CChar>
  nonisolated(unsafe) let message: UnsafeMutablePointer<CChar>
  /// The object that the error carries, if any.
  let carried: (any CarriedObject)?
  /// Whether it reports calls nested too deep, when there may be no stack to notify the subscriber.
  let isTooDeep: Bool
  /// Whether it was reported to a host because it concerns more than the stream.
  let isConclusive: Bool

  /// Takes ownership of `domain` and `message`, which it releases with `free`.
  init(
    code: Int64, domain: UnsafeMutablePointer<CChar>, message: UnsafeMutablePointer<CChar>,
    carrying carried: (any CarriedObject)? = nil, isTooDeep: Bool = false, isConclusive: Bool = false
  ) {
    self.isTooDeep = isTooDeep
    self.isConclusive = isConclusive
    self.code = code
    self.domain = domain
    self.message = message
    self.carried = carried
  }

  convenience init(
    code: Int64, domain: String, message: String, carrying carried: (any CarriedObject)? = nil,
    isTooDeep: Bool = false, isConclusive: Bool = false
  ) {
    self.init(
      code: code, domain: strdup(domain), message: strdup(message), carrying: carried, isTooDeep: isTooDeep,
      isConclusive: isConclusive)
  }

  /// An error of the library itself.
  convenience init(status: streams_status, _ message: String) {
    self.init(
      code: Int64(status.rawValue), domain: "streams", message: message, isTooDeep: status == STREAMS_LIMIT)
  }

  deinit {
    free(domain)
    free(message)
  }
}

extension StreamError {
  /// A copy of the message.
  var text: String { String(cString: message) }
}

extension StreamError: ConclusiveError {}

extension StreamError: CustomStringConvertible {
  var description: String { "\(String(cString: domain)) \(code): \(String(cString: message))" }
}
