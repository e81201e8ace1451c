import CStreams
import Streams
import StreamsShims

extension Value {
  /// Whether it is an array of numbers.
  var isArray: Bool { kind == STREAMS_VALUE_INT64S.rawValue || kind == STREAMS_VALUE_DOUBLES.rawValue }

  /// The numbers of an array of integers.
  var integers: UnsafeBufferPointer<Int64> {
    UnsafeBufferPointer(start: UnsafePointer(bitPattern: UInt(bits)), count: Int(size))
  }

  /// The numbers of an array of doubles.
  var reals: UnsafeBufferPointer<Double> {
    UnsafeBufferPointer(start: UnsafePointer(bitPattern: UInt(bits)), count: Int(size))
  }

  /// The kind of the single numbers of an array.
  fileprivate var numberKind: UInt32 {
    (kind == STREAMS_VALUE_INT64S.rawValue ? STREAMS_VALUE_INT64 : STREAMS_VALUE_DOUBLE).rawValue
  }

  /// The numbers of an array as values.
  var numbers: NumberValues { NumberValues(array: self) }

  /// Whether numbers can be stored at an address.
  static func isAligned(_ address: UInt64) -> Bool { address % 8 == 0 }

  /// Several values as one: an array if they are all integers or all doubles, otherwise a list.
  static func gathering(_ values: UnsafeBufferPointer<Value>) -> Result<Value, StreamError> {
    let first = values[0].kind
    let areNumbers = first == STREAMS_VALUE_INT64.rawValue || first == STREAMS_VALUE_DOUBLE.rawValue
    guard areNumbers, values.allSatisfy({ $0.kind == first }),
      let storage = ByteStorage.with(size: 8 * values.count)
    else { return list(values.count) { values[$0] } }
    let words = storage.start.assumingMemoryBound(to: UInt64.self)
    for index in 0..<values.count { words[index] = values[index].bits }
    let kind = first == STREAMS_VALUE_INT64.rawValue ? STREAMS_VALUE_INT64S : STREAMS_VALUE_DOUBLES
    return .success(
      Value(kind: kind.rawValue, size: UInt32(values.count), bits: storage.address, owner: storage))
  }
}

/// The numbers of an array, each as a value.
struct NumberValues: Sequence {
  let array: Value

  struct Iterator: IteratorProtocol {
    fileprivate let array: Value
    fileprivate var index = 0

    @inline(__always)
    mutating func next() -> Value? {
      guard index < array.size else { return nil }
      defer { index += 1 }
      return Value(
        kind: array.numberKind, size: 0, bits: UInt64(bitPattern: array.integers[index]), owner: nil)
    }
  }

  func makeIterator() -> Iterator { Iterator(array: array) }
}

extension NumberValues: CustomStringConvertible {
  /// The description that an array of them has.
  var description: String { "[\(map(\.description).joined(separator: ", "))]" }
}

/// An array of numbers in a stream, where each number counts as a value.
final class Numbers: _Piece {
  typealias Element = Value

  /// Not empty. Without an owner, its memory is only lent.
  let array: Value

  init(_ array: Value) { self.array = array }

  var count: Int { Int(array.size) }

  func part(_ offset: Int, _ count: Int) -> any _Piece<Value> {
    if count == self.count { return self }
    return Numbers(
      Value(kind: array.kind, size: UInt32(count), bits: array.bits + UInt64(8 * offset), owner: array.owner))
  }

  func kept() -> any _Piece<Value> {
    guard array.owner == nil else { return self }
    let copy = withUnsafePointer(to: array) { array in try? Value.adopting(array.asC) }
    return Numbers(copy!)
  }

  func forEachPage(_ offset: Int, _ count: Int, _ body: (UnsafeBufferPointer<Value>) -> Bool) {
    let words = array.integers.baseAddress.unsafelyUnwrapped + offset
    let numbers = streams_numbers(words: words, count: count, kind: array.numberKind)
    // The compiler's check that the closure has not been kept names a file: this one, wherever the source lies.
    #sourceLocation(file:"NumberPages.swift",line:1)
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { body in
        _ = streams_send_numbers(numbers, UnsafeMutableRawPointer(mutating: body)) { body, page, count in
          typealias Body = (UnsafeBufferPointer<Value>) -> Bool
          let values = UnsafeBufferPointer(start: page!.assumingMemoryBound(to: Value.self), count: count)
          return body!.assumingMemoryBound(to: Body.self).pointee(values)
        }
      }
    }
    #sourceLocation()
  }
}

/// The items of a list in a stream.
final class ListedValues: _Piece {
  typealias Element = Value

  private let list: ListStorage
  private let range: Range<Int>

  init(_ list: ListStorage, _ range: Range<Int>) {
    self.list = list
    self.range = range
  }

  var count: Int { range.count }

  func part(_ offset: Int, _ count: Int) -> any _Piece<Value> {
    let start = range.lowerBound + offset
    return ListedValues(list, start..<start + count)
  }

  func kept() -> any _Piece<Value> { self }

  func forEachPage(_ offset: Int, _ count: Int, _ body: (UnsafeBufferPointer<Value>) -> Bool) {
    let start = range.lowerBound + offset
    _ = body(UnsafeBufferPointer(rebasing: list.items[start..<start + count]))
  }
}

extension Call {
  /// Checks that a value is an array of numbers. Returns it, borrowed if it is, or nil with the last error set.
  func numbers(_ value: UnsafePointer<streams_value>?, _ argument: StaticString) -> Value? {
    guard let value else {
      _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL")
      return nil
    }
    guard
      value.pointee.kind == STREAMS_VALUE_INT64S.rawValue
        || value.pointee.kind == STREAMS_VALUE_DOUBLES.rawValue
    else {
      _ = fail(STREAMS_INVALID_VALUE, "\(argument) is not an array of numbers")
      return nil
    }
    let bits = value.pointee.as.bits
    return bits != 0 && Value.isAligned(bits) ? value.asValue.pointee : adopt(value, argument)
  }
}
