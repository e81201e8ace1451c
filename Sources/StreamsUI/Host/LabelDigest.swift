import Foundation

/// A hash of a label, to compare labels without building their strings. The digest of texts joined by spaces is computed from the
/// texts' digests.
struct LabelDigest: Equatable {
  private var sum: UInt64 = 0
  /// The weight of the text's length.
  private var factor: UInt64 = 1
  /// Whether there is no text, not even an empty one.
  private(set) var isOfNone = true

  private static let base: UInt64 = 0x1_0000_01B3

  init() {}

  init(of text: String) {
    isOfNone = false
    // Equal strings may have different bytes.
    let isPlain = text.utf8.allSatisfy { $0 < 128 }
    if isPlain {
      for byte in text.utf8 { append(UInt64(byte)) }
    } else {
      for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars { append(UInt64(scalar.value)) }
    }
  }

  private mutating func append(_ scalar: UInt64) {
    sum = sum &* Self.base &+ scalar
    factor = factor &* Self.base
  }

  /// The digest of both texts with a space between them; if one is missing, that of the other.
  func joined(with other: LabelDigest) -> LabelDigest {
    if isOfNone { return other }
    if other.isOfNone { return self }
    var both = self
    both.append(32)
    both.sum = both.sum &* other.factor &+ other.sum
    both.factor = both.factor &* other.factor
    return both
  }

  /// Nearly always false if the texts differ. No text counts as an empty one.
  func isOfSameText(as other: LabelDigest) -> Bool { sum == other.sum && factor == other.factor }
}
