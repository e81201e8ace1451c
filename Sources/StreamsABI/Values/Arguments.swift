import CStreams
import Glibc
import StreamsShims

/// Checks of arguments. Each returns nil, with the last error set, for an invalid argument.
extension Call {
  func adopt(_ value: UnsafePointer<streams_value>?, _ argument: StaticString) -> Value? {
    guard let value else {
      _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL")
      return nil
    }
    do {
      return try Value.adopting(value)
    } catch {
      _ = refuse(error, argument)
      return nil
    }
  }

  /// Reports what is wrong with a value.
  @inline(never)
  func refuse(_ bad: BadValue, _ argument: StaticString) -> streams_status {
    guard bad.status == STREAMS_OUT_OF_MEMORY else { return fail(bad.status, "\(argument) \(bad.message)") }
    LastError.setOutOfMemory(function, argument)
    return bad.status
  }

  func adopt(
    _ values: UnsafePointer<streams_value>?, count: Int, _ argument: StaticString
  ) -> ListStorage? {
    guard isPlausible(count, values != nil, argument) else { return nil }
    do {
      return try Value.adopting(values, count: values == nil ? 0 : count)
    } catch {
      _ = refuse(error, argument)
      return nil
    }
  }

  /// A borrowed array of numbers.
  func array(_ numbers: UnsafeRawPointer?, _ count: Int, _ kind: streams_value_kind) -> Value? {
    guard isPlausible(count, numbers != nil, "values") else { return nil }
    let size = numbers == nil ? 0 : UInt32(count)
    return Value(kind: kind.rawValue, size: size, bits: UInt64(UInt(bitPattern: numbers)), owner: nil)
  }

  /// Runs `body` with a C array as values that own their storage, copied only if they do not already.
  func withReadyValues(
    _ values: UnsafePointer<streams_value>?, _ count: Int, _ argument: StaticString,
    _ body: (UnsafeBufferPointer<Value>) -> streams_status
  ) -> streams_status {
    guard isPlausible(count, values != nil, argument) else { return LastError.status }
    guard let values, count > 0 else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let base = values.asValue
    if (0..<count).allSatisfy({ Value.isReady(base + $0) }) {
      return body(UnsafeBufferPointer(start: base, count: count))
    }
    guard let adopted = adopt(values, count: count, argument) else { return LastError.status }
    return withExtendedLifetime(adopted) { body(adopted.items) }
  }

  /// Checks an array's length, and that it is not NULL. Lengths come as `size_t`: a huge one is negative here.
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
    return true
  }

  /// Whether there is memory for arrays with `count` elements. Arrays of few elements are not checked.
  func hasRoom(for count: Int) -> Bool { count < 100 || streams_has_room(64 * count) }

  func hasRoom(for count: Int, _ argument: StaticString) -> Bool {
    if hasRoom(for: count) { return true }
    _ = refuse(.outOfMemory, argument)
    return false
  }

  /// A copy of a C string, to be released with `free`.
  func copy(_ text: UnsafePointer<CChar>?, _ argument: StaticString) -> UnsafeMutablePointer<CChar>? {
    guard let text else {
      _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL")
      return nil
    }
    guard UTF8Check.isValid(UnsafeRawBufferPointer(start: text, count: strlen(text))) else {
      _ = fail(STREAMS_INVALID_UTF8, "\(argument) is not well-formed UTF-8")
      return nil
    }
    guard let copy = strdup(text) else {
      _ = refuse(.outOfMemory, argument)
      return nil
    }
    return copy
  }

  /// A C string as a `String`.
  func text(_ text: UnsafePointer<CChar>?, _ argument: StaticString) -> String? {
    guard let copy = copy(text, argument) else { return nil }
    defer { free(copy) }
    // Twice the copy's size: where there is room for two more, there is room for the one that is made.
    guard streams_has_room(2 * strlen(copy) + 64) else {
      _ = refuse(.outOfMemory, argument)
      return nil
    }
    return String(cString: copy)
  }

  /// A copy of a struct that begins with its size, with zeros for the fields that an older program does not have.
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
        "\(argument) has the size \(size); this library knows sizes up to \(MemoryLayout<Options>.size): "
          + "start from the matching ..._INIT macro")
      return nil
    }
    var options = empty
    withUnsafeMutableBytes(of: &options) {
      _ = memcpy($0.baseAddress!, pointer, size)
    }
    return options
  }
}
