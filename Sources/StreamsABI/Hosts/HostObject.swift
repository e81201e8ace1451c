import CStreams

/// An object of a host's, carried as a value.
///
/// A value that is sent needs a box only while it is delivered, and the sender holds the object meanwhile. So the
/// box borrows the object, and retains it only if somebody has kept the box when the delivery is over.
final class HostObject: ForeignObject {
  unowned(unsafe) let host: Host
  fileprivate(set) var isRetained: Bool

  fileprivate init(_ host: Host, _ object: UnsafeMutableRawPointer, isRetained: Bool) {
    self.host = host
    self.isRetained = isRetained
    super.init(pointer: object)
  }

  deinit {
    guard isRetained, let pointer else { return }
    _ = host.entered { host.release(pointer) }
  }

  override func equals(_ other: ForeignObject) throws(StreamError) -> Bool {
    guard let other = other as? HostObject, other.host === host else { return false }
    let outcome = host.entered { () -> (Int32, StreamError?) in
      let result = host.calling {
        host.table.equals(pointer, other.pointer, STREAMS_HOST_EQUAL)
      }
      return (result, result < 0 ? host.takeError() : nil)
    }
    guard let outcome else { throw host.retiredError }
    if let error = outcome.1 { throw error }
    return outcome.0 != 0
  }

  override func describe() -> String {
    host.entered { pointer.map { host.description(of: $0) } ?? "object" } ?? "object"
  }
}

extension Host {
  /// A value that owns a new reference to the object. With the lock held.
  func value(retaining object: UnsafeMutableRawPointer) -> Value {
    if isNull(object) { return .null }
    retain(object)
    return Value(HostObject(self, object, isRetained: true))
  }

  /// A value that takes over a reference to the object. With the lock held.
  func value(taking object: UnsafeMutableRawPointer) -> Value {
    if isNull(object) {
      table.release(object)
      return .null
    }
    return Value(HostObject(self, object, isRetained: true))
  }

  /// Runs `body` with a value of an object that the caller holds for as long. With the lock held.
  @inline(__always)
  func withValue<Result>(borrowing object: UnsafeMutableRawPointer, _ body: (UnsafePointer<Value>) -> Result) -> Result
  {
    if isNull(object) { return withUnsafePointer(to: .null, body) }
    var box = takeBox(object)
    let result = lend(&box, body)
    settle(&box)
    return result
  }

  @inline(__always)
  private func lend<Result>(_ box: inout HostObject, _ body: (UnsafePointer<Value>) -> Result) -> Result {
    let value = Value(box)
    return withUnsafePointer(to: value, body)
  }

  @inline(__always)
  private func takeBox(_ object: UnsafeMutableRawPointer) -> HostObject {
    guard let box = spareBoxes.popLast() else { return HostObject(self, object, isRetained: false) }
    box.pointer = object
    return box
  }

  /// Keeps the box for the next object, or, if somebody has kept it, makes it hold its object.
  @inline(__always)
  private func settle(_ box: inout HostObject) {
    if isKnownUniquelyReferenced(&box), spareBoxes.count < 256 {
      box.pointer = nil
      spareBoxes.append(box)
    } else if let object = box.pointer {
      retain(object)
      box.isRetained = true
    }
  }
}
