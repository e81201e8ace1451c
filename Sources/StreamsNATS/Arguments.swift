internal import CStreams

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#endif

/// Texts for a call of C's, valid as long as this.
final class Texts {
  private var texts: [UnsafeMutablePointer<CChar>] = []

  deinit { for text in texts { free(text) } }

  /// A copy that C can read; nil for nil. Throws for what C would take for the end.
  func callAsFunction(_ text: String?, _ name: StaticString) throws(NATSError) -> UnsafePointer<CChar>? {
    guard let text else { return nil }
    guard !text.utf8.contains(0) else {
      throw NATSError(code: .refused, message: "\(name) has a NUL character")
    }
    guard let copy = strdup(text) else {
      throw NATSError(code: .refused, message: "\(name) does not fit into memory")
    }
    texts.append(copy)
    return UnsafePointer(copy)
  }
}

extension Duration {
  /// In nanoseconds, or the nearest number that C can hold.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLargeToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLarge || isTooLargeToo ? (seconds < 0 ? .min : .max) : sum
  }
}

extension Date {
  /// The time that so many nanoseconds after 1970 began.
  init(nanoseconds: Int64) { self.init(timeIntervalSince1970: Double(nanoseconds) / 1e9) }

  /// In nanoseconds since 1970, or the nearest number that C can hold.
  var nanoseconds: Int64 {
    let nanoseconds = timeIntervalSince1970 * 1e9
    return Int64(exactly: nanoseconds.rounded()) ?? (nanoseconds < 0 ? .min : .max)
  }
}
