import Foundation

/// A number by which a label is told from others without putting it together. That of texts with spaces between them is
/// computed from theirs.
struct LabelDigest: Equatable {
  private var sum: UInt64 = 0
  /// What counts for how long the text is.
  private var factor: UInt64 = 1
  /// Whether it is of no text at all, not even an empty one.
  private(set) var isOfNone = true

  private static let base: UInt64 = 0x1_0000_01B3

  init() {}

  init(of text: String) {
    isOfNone = false
    // Strings that are equal may have been written differently.
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

  /// That of both texts with a space between them, or of the one that there is.
  func joined(with other: LabelDigest) -> LabelDigest {
    if isOfNone { return other }
    if other.isOfNone { return self }
    var both = self
    both.append(32)
    both.sum = both.sum &* other.factor &+ other.sum
    both.factor = both.factor &* other.factor
    return both
  }

  /// Nearly always untrue where the texts differ. No text at all counts as an empty one.
  func isOfSameText(as other: LabelDigest) -> Bool { sum == other.sum && factor == other.factor }
}
