import CStreams
import Streams

/// An object of a host, carried as a value.
///
/// A value that is sent needs a box only during its delivery, while the sender holds the object. So the box borrows the object,
/// and retains it only if the box is still referenced after the delivery. Other boxes own their object from the start.
final class HostObject: ForeignObject {
  unowned(unsafe) let host: Host
  fileprivate let isRetained: Cell<Bool>

  fileprivate init(_ host: Host, _ object: UnsafeMutableRawPointer, isRetained: Bool) {
    self.host = host
    self.isRetained = Cell(isRetained)
    super.init(pointer: object)
  }

  deinit {
    if isRetained.value, let pointer { host.enterAndRelease(pointer) }
  }

  override func equals(_ other: ForeignObject) throws(StreamError) -> Bool {
    guard let other = other as? HostObject, other.host === host else { return false }
    return try relates(pointer, STREAMS_HOST_EQUAL, other.pointer)
  }

  override func compared(to other: ForeignObject) throws(StreamError) -> Int {
    guard let foreign = other as? HostObject, foreign.host === host else { throw .withoutOrder }
    if try relates(pointer, STREAMS_HOST_LESS, foreign.pointer) { return -1 }
    if try relates(foreign.pointer, STREAMS_HOST_LESS, pointer) { return 1 }
    return try super.compared(to: other)
  }

  private func relates(
    _ object: UnsafeMutableRawPointer?, _ operation: Int32, _ other: UnsafeMutableRawPointer?
  ) throws(StreamError) -> Bool {
    try ask { Int(host.table.equals(object, other, operation)) } != 0
  }

  override func hashed() throws(StreamError) -> Int {
    guard let hash = host.table.hash else { return 0 }
    return try ask { Int(hash(pointer)) }
  }

  /// Gets a number from the host; a negative one may mean an error.
  private func ask(_ question: () -> Int) throws(StreamError) -> Int {
    let outcome = host.entered { () -> (Int, StreamError?) in
      let answer = host.calling(question)
      return (answer, answer == -1 ? host.takeError() : nil)
    }
    guard let outcome else { throw host.retiredError }
    if let error = outcome.1 { throw error }
    return outcome.0
  }

  override func describe() -> String {
    host.entered { pointer.map { host.description(of: $0) } ?? "object" } ?? "object"
  }
}

extension Host {
  /// A value that owns a new reference to the object. Must be called with the lock held.
  func value(retaining object: UnsafeMutableRawPointer) -> Value {
    if isNull(object) { return .null }
    retain(object)
    return value(owning: object)
  }

  /// A value that takes ownership of a reference to the object. Must be called with the lock held.
  func value(taking object: UnsafeMutableRawPointer) -> Value {
    if isNull(object) {
      table.release(object)
      return .null
    }
    return value(owning: object)
  }

  @inline(__always)
  private func value(owning object: UnsafeMutableRawPointer) -> Value {
    let box = takeBox(object).takeRetainedValue()
    box.isRetained.value = true
    return Value(box)
  }

  /// Releases a value's object, if its box has no other reference; the box is kept for the next object. Needs the lock.
  @inline(__always)
  func release(_ value: inout Value) {
    guard isKnownUniquelyReferenced(&value.owner), spareBoxes.hasRoom else { return }
    withUnsafeMutablePointer(to: &value) { place in
      guard let object = ownObject(place), let owner = place.asC.pointee.owner else { return }
      // The value's reference becomes that of the spare box.
      place.asC.pointee.owner = nil
      let box = Unmanaged<HostObject>.fromOpaque(owner)
      box._withUnsafeGuaranteedRef { box in
        box.pointer = nil
        box.isRetained.value = false
      }
      spareBoxes.keep(box)
      UserCallback.releasing { release(object) }
    }
  }

  /// Runs `body` with a value of an object that the caller holds during it. Must be called with the lock held.
  @inline(__always)
  func withValue<Result>(
    borrowing object: UnsafeMutableRawPointer, _ body: (UnsafePointer<Value>) -> Result
  ) -> Result {
    if isNull(object) { return withUnsafePointer(to: .null, body) }
    let box = takeBox(object)
    let result = box._withUnsafeGuaranteedRef { box in
      // A value with the box's reference, which it neither retains nor releases.
      var value = streams_value()
      value.kind = STREAMS_VALUE_OBJECT.rawValue
      value.as.object = object
      value.owner = Unmanaged.passUnretained(box).toOpaque()
      return withUnsafePointer(to: &value) { body($0.asValue) }
    }
    recycle(box)
    return result
  }

  /// A box with one reference, which is the caller's.
  @inline(__always)
  private func takeBox(_ object: UnsafeMutableRawPointer) -> Unmanaged<HostObject> {
    guard let box = spareBoxes.take() else {
      return .passRetained(HostObject(self, object, isRetained: false))
    }
    box._withUnsafeGuaranteedRef { $0.pointer = object }
    return box
  }

  /// Keeps the box for the next object or, if it is still referenced, makes it retain its object.
  @inline(__always)
  private func recycle(_ box: Unmanaged<HostObject>) {
    var reference = box.takeRetainedValue()
    if isKnownUniquelyReferenced(&reference), spareBoxes.hasRoom {
      reference.pointer = nil
      spareBoxes.keep(.passRetained(reference))
    } else if let object = reference.pointer {
      retain(object)
      reference.isRetained.value = true
    }
  }
}

/// Boxes to reuse. Guarded by the host's lock.
struct SpareBoxes: ~Copyable {
  private let places = UnsafeMutablePointer<Unmanaged<HostObject>>.allocate(capacity: 64)
  private let count = Cell(0)

  @inline(__always)
  var hasRoom: Bool { count.value < 64 }

  @inline(__always)
  func take() -> Unmanaged<HostObject>? {
    guard count.value > 0 else { return nil }
    count.value -= 1
    return places[count.value]
  }

  @inline(__always)
  func keep(_ box: Unmanaged<HostObject>) {
    (places + count.value).initialize(to: box)
    count.value += 1
  }
}
