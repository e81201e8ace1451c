import CStreams
import Glibc

/// Arguments checked on their way in. Each returns nil, with the last error set, for an argument that is bad.
extension Call {
  func adopt(_ value: UnsafePointer<streams_value>?, _ argument: StaticString) -> Value? {
    guard let value else {
      _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL")
      return nil
    }
    do {
      return try Value.adopting(value)
    } catch {
      _ = fail(error.status, "\(argument) \(error.message)")
      return nil
    }
  }

  func adopt(
    _ values: UnsafePointer<streams_value>?, count: Int, _ argument: StaticString
  ) -> [Value]? {
    guard isPlausible(count, values != nil, argument) else { return nil }
    guard let values, count > 0 else { return [] }
    do {
      return try Value.adopting(values, count: count)
    } catch {
      _ = fail(error.status, "\(argument) \(error.message)")
      return nil
    }
  }

  /// Runs `body` with an array of C's as values that own their storage, copied only if they do not already.
  func withReadyValues(
    _ values: UnsafePointer<streams_value>?, _ count: Int, _ argument: StaticString,
    _ body: (UnsafeBufferPointer<Value>) -> streams_status
  ) -> streams_status {
    guard isPlausible(count, values != nil, argument) else { return streams_last_status() }
    guard let values, count > 0 else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let base = values.asValue
    if (0..<count).allSatisfy({ Value.isReady(base + $0) }) {
      return body(UnsafeBufferPointer(start: base, count: count))
    }
    guard let adopted = adopt(values, count: count, argument) else { return streams_last_status() }
    return adopted.withUnsafeBufferPointer(body)
  }

  /// Checks an array's length and that the array is there. Lengths come as `size_t`: a huge one is negative here.
  func isPlausible(_ count: Int, _ isPresent: Bool, _ argument: StaticString) -> Bool {
    if count > 0 && !isPresent {
      _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL and the count is \(count)")
      return false
    }
    guard count >= 0, count <= Int(UInt32.max) else {
      _ = fail(
        STREAMS_OUT_OF_RANGE, "\(argument) has \(UInt(bitPattern: count)) elements, more than 4294967295")
      return false
    }
    guard Storage.canHold(count * MemoryLayout<Value>.stride) else {
      _ = fail(STREAMS_OUT_OF_MEMORY, "\(argument) does not fit into memory")
      return false
    }
    return true
  }

  /// A C string.
  func text(_ text: UnsafePointer<CChar>?, _ argument: StaticString) -> String? {
    guard let text else {
      _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL")
      return nil
    }
    guard let string = String(validatingCString: text) else {
      _ = fail(STREAMS_INVALID_UTF8, "\(argument) is not well-formed UTF-8")
      return nil
    }
    return string
  }

  /// A struct that begins with its size: a copy, with zero for the fields that an older program does not have.
  func options<Options>(
    _ pointer: UnsafePointer<Options>?, _ argument: StaticString, minimum: Int, empty: Options
  ) -> Options? {
    guard let pointer else {
      _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL")
      return nil
    }
    let size = UnsafeRawPointer(pointer).load(as: Int.self)
    guard size >= minimum, size <= MemoryLayout<Options>.size else {
      _ = fail(
        STREAMS_INVALID_SIZE,
        "\(argument) has the size \(size); this library knows sizes up to \(MemoryLayout<Options>.size)")
      return nil
    }
    var options = empty
    withUnsafeMutableBytes(of: &options) {
      _ = memcpy($0.baseAddress!, pointer, size)
    }
    return options
  }
}
