import CStreams
import Glibc
import Streams

/// A C value, for use in Swift.
package struct HeldValue: @unchecked Sendable {
  fileprivate let value: Value

  fileprivate init(_ value: Value) { self.value = value }

  /// A copy of bytes; nil if they do not fit into memory, or into a value.
  package init?(copying memory: UnsafeRawBufferPointer) {
    guard memory.count <= Int(UInt32.max), let value = try? Value(STREAMS_VALUE_BYTES, copying: memory) else {
      return nil
    }
    self.value = value
  }

  /// What a C function writes to a place. It takes over the value there, also if the function throws.
  package init<Failure: Error>(
    filledBy fill: (UnsafeMutablePointer<streams_value>) throws(Failure) -> Void
  ) throws(Failure) {
    var place = streams_value()
    let result: Result<Void, Failure>
    do throws(Failure) {
      result = .success(try fill(&place))
    } catch {
      result = .failure(error)
    }
    value = withUnsafeMutablePointer(to: &place) { $0.take() }
    try result.get()
  }

  /// Lends the value to C.
  @inline(__always)
  package func withC<Result, Failure: Error>(
    _ body: (UnsafePointer<streams_value>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafePointer(to: value) { (pointer) throws(Failure) in try body(pointer.asC) }
  }

  /// An integer; nil if it is none.
  package var integer: Int64? { value.kind == STREAMS_VALUE_INT64.rawValue ? value.integer : nil }

  /// A copy of text; nil if it is none.
  package var text: String? {
    guard value.kind == STREAMS_VALUE_STRING.rawValue else { return nil }
    return withExtendedLifetime(value) { String(decoding: value.memory, as: UTF8.self) }
  }

  /// The memory of bytes, which is valid as long as the value; nil if it is none.
  package var bytes: UnsafeRawBufferPointer? {
    value.kind == STREAMS_VALUE_BYTES.rawValue ? value.memory : nil
  }

  /// The items of a list; nil if it is none.
  package var items: [HeldValue]? {
    guard value.kind == STREAMS_VALUE_LIST.rawValue else { return nil }
    return withExtendedLifetime(value) { value.items.map { HeldValue($0) } }
  }

  package static var null: HeldValue { HeldValue(.null) }
}

/// Why a C stream failed.
package struct HeldFailure: Error, @unchecked Sendable {
  package let code: Int64
  package let domain: String
  package let message: String
  /// The object that C code has attached to it.
  package let object: HeldValue?
  /// The error of the Swift publisher that it began with; nil if C code has failed.
  package let cause: (any Error)?

  fileprivate init(_ error: StreamError) {
    code = error.code
    domain = String(cString: error.domain)
    message = error.text
    object = error.object.map { HeldValue($0.pointee) }
    cause = (error.carried as? CarriedError)?.error
  }
}

/// A Swift error on its way through C.
private final class CarriedError: CarriedObject {
  let error: any Error

  init(_ error: any Error) { self.error = error }
}

extension StreamError {
  fileprivate static func carrying(_ error: any Error) -> StreamError {
    StreamError(code: 0, domain: "swift", message: "\(error)", carrying: CarriedError(error))
  }
}

/// What this package's Swift modules need if they are built on C code that uses streams.h: C publishers
/// as Swift publishers, and the reverse.
package enum SwiftFace {
  /// Consumes the handle of a publisher that a C function has just made, and publishes what the
  /// functions make from its values and its failure. A handle that cannot be consumed makes a publisher
  /// that fails with the reason.
  package static func publisher<Output, Failure: Error>(
    consuming handle: OpaquePointer?, value: @escaping (HeldValue) -> Output,
    failure: @escaping (HeldFailure) -> Failure
  ) -> AnyPublisher<Output, Failure> {
    guard let object = Call("streams_subscribe").consume(handle) else {
      let status = LastError.status
      let error = StreamError(status: status, String(cString: LastError.message))
      return Fail(error: failure(HeldFailure(error))).eraseToAnyPublisher()
    }
    return object.publisher.map { value(HeldValue($0)) }.mapError { failure(HeldFailure($0)) }
      .eraseToAnyPublisher()
  }

  /// Makes a handle of a publisher, for C functions that consume one. What `value` throws, and the publisher's failure, are the
  /// `cause` of the failure that comes back by way of ``publisher(consuming:value:failure:)``.
  package static func handle<P: Publisher>(
    of publisher: P, value: @escaping (P.Output) throws -> HeldValue
  ) -> OpaquePointer? {
    let values = publisher.tryMap { try value($0).value }.mapError { StreamError.carrying($0) }
    return Call("streams_publisher_create").publish(values, depth: .max)
  }
}
