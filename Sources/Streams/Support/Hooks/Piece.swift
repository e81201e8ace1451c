/// Values in a representation of their own, such as numbers in an array.
///
/// A subscriber that takes pieces gets it as a batch; other subscribers get its values. Each value counts as one toward
/// the demand. A piece is immutable, and may lie in borrowed memory: to keep it, call ``kept()`` and keep the result.
public protocol _Piece<Element>: AnyObject {
  associatedtype Element

  /// How many values there are, at least one.
  var count: Int { get }

  /// Some of the values, in the same memory.
  func part(_ offset: Int, _ count: Int) -> any _Piece<Element>

  /// A piece with these values in memory of its own.
  func kept() -> any _Piece<Element>

  /// Calls `body` with some of the values, as many at a time as there is room for, until it returns false.
  func forEachPage(_ offset: Int, _ count: Int, _ body: (UnsafeBufferPointer<Element>) -> Bool)
}

extension _Piece {
  /// Calls `body` with the values, as many at a time as there is room for, until it returns false.
  public func forEachPage(_ body: (UnsafeBufferPointer<Element>) -> Bool) { forEachPage(0, count, body) }

  /// The last of the values.
  var last: Element {
    var last: Element?
    forEachPage(count - 1, 1) { page in
      last = page[0]
      return false
    }
    return last!
  }
}
