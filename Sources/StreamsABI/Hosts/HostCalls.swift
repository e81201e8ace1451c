import CStreams
import StreamsShims

/// The calls of the first hosts, one for each, as with the send methods.
private let calls: [streams_call_fn] = [
  { call(1, $0, $1, $2) }, { call(2, $0, $1, $2) }, { call(3, $0, $1, $2) }, { call(4, $0, $1, $2) },
  { call(5, $0, $1, $2) }, { call(6, $0, $1, $2) }, { call(7, $0, $1, $2) }, { call(8, $0, $1, $2) },
]

@_cdecl("streams_host_call") @implementation
public func streams_host_call(
  _ host: UInt32, _ raise: UnsafeMutableRawPointer!, _ offset: Int
) -> streams_call_fn! {
  Call("streams_host_call").method(of: calls, host, raise, offset)
}

/// Calls a function of the library. The caller holds the host's lock.
@inline(__always)
private func call(
  _ id: UInt32, _ self: UnsafeMutableRawPointer?, _ arguments: UnsafePointer<UnsafeMutableRawPointer?>?,
  _ count: Int
) -> UnsafeMutableRawPointer? {
  guard let host = Host.find(id), let self else { return nil }
  let words = UnsafeBufferPointer(start: arguments, count: count)
  return host._withUnsafeGuaranteedRef { $0.call(libraryFunction: self, words) }
}

extension Host {
  @inline(__always)
  fileprivate func call(
    libraryFunction: UnsafeMutableRawPointer, _ arguments: UnsafeBufferPointer<UnsafeMutableRawPointer?>
  ) -> UnsafeMutableRawPointer? {
    let place = Int(table.to_int64(libraryFunction))
    guard let function = UnsafePointer<streams_host_function>(bitPattern: place) else { return nil }
    guard arguments.count == function.pointee.parameters, arguments.count <= Int(STREAMS_HOST_PARAMETERS)
    else {
      let given = "\(arguments.count) arguments for its \(function.pointee.parameters)"
      return refuse(STREAMS_INVALID_SIZE, "\(function.shown) was given \(given)")
    }
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Int(STREAMS_HOST_PARAMETERS)) { words in
      for (index, argument) in arguments.enumerated() {
        let isObject = function.pointee.objects >> UInt64(index) & 1 != 0
        guard let word = isObject ? address(of: argument) : number(argument) else {
          let message = "argument \(index + 1) of \(function.shown) is not an integer of 64 bits"
          return refuse(STREAMS_INVALID_VALUE, message)
        }
        words.initializeElement(at: index, to: word)
      }
      return table.from_int64(invoke(function, words.baseAddress, arguments.count))
    }
  }

  /// The host called on this thread, so the thread holds its lock, unless the host is retired.
  @inline(__always)
  private func invoke(
    _ function: UnsafePointer<streams_host_function>, _ words: UnsafePointer<UInt64>?, _ count: Int
  ) -> Int64 {
    let outer = retired ? nil : mark()
    let result = streams_call_words(function.pointee.function, words, count)
    if let outer { unmark(outer) }
    return function.pointee.returns_int
      ? Int64(Int32(truncatingIfNeeded: result)) : Int64(bitPattern: result)
  }

  /// An integer or null as a function's argument; nil if it is neither.
  @inline(__always)
  private func number(_ argument: UnsafeMutableRawPointer?) -> UInt64? {
    guard let argument else { return nil }
    if isNull(argument) { return 0 }
    let number = table.to_int64(argument)
    return number == -1 && hasError() ? nil : UInt64(bitPattern: number)
  }

  @inline(__always)
  private func address(of argument: UnsafeMutableRawPointer?) -> UInt64? {
    argument.map { UInt64(UInt(bitPattern: $0)) }
  }

  /// Whether an error is pending, which this takes.
  @inline(never)
  private func hasError() -> Bool { takePendingError() != nil }

  @inline(never)
  private func refuse(
    _ status: streams_status, _ message: String
  ) -> UnsafeMutableRawPointer? {
    raise(Call("streams_host_call").fail(status, message))
  }
}

extension UnsafePointer<streams_host_function> {
  fileprivate var shown: String { pointee.name.map { String(cString: $0) } ?? "a function" }
}
