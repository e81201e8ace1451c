/// Values that lie in a form of their own, such as numbers in an array.
///
/// A piece is a batch to whoever takes it as it is; everyone else gets its values. Each of them counts as one toward the
/// demand. It is immutable, and may lie in memory that is borrowed: to keep it is to take what ``kept()`` returns.
public protocol _Piece<Element>: AnyObject {
  associatedtype Element

  /// How many values there are, at least one.
  var count: Int { get }

  /// Some of the values, in the same memory.
  func part(_ offset: Int, _ count: Int) -> any _Piece<Element>

  /// The same values, in memory that stays.
  func kept() -> any _Piece<Element>

  /// Calls `body` with the values, as many as there are room for at a time, until it returns false.
  func forEachPage(_ body: (UnsafeBufferPointer<Element>) -> Bool)
}

extension _Piece {
  /// The last of the values.
  var last: Element {
    var last: Element?
    part(count - 1, 1).forEachPage { page in
      last = page[0]
      return false
    }
    return last!
  }
}
