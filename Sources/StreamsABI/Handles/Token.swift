import CStreams

/// A handle as C holds it: its slot, its generation of the slot, and its kind.
///
/// From the highest bit: 6 zero bits, 24 bits of generation, 28 bits of slot, 5 bits of kind, and a 1, which no pointer to memory
/// has.
struct Token {
  let bits: UInt

  @inline(__always)
  init?(_ handle: UnsafeRawPointer?) {
    guard let handle else { return nil }
    bits = UInt(bitPattern: handle)
  }

  init(slot: Int, generation: UInt32, kind: UInt8) {
    bits = UInt(generation) << 34 | UInt(slot) << 6 | UInt(kind) << 1 | 1
  }

  @inline(__always) var isWellFormed: Bool { bits & 1 == 1 && bits >> 58 == 0 }
  @inline(__always) var kind: UInt8 { UInt8(truncatingIfNeeded: bits >> 1) & 0x1f }
  @inline(__always) var slot: Int { Int((bits >> 6) & (1 << 28 - 1)) }
  @inline(__always) var generation: UInt32 { UInt32(truncatingIfNeeded: bits >> 34) }

  var handle: OpaquePointer { OpaquePointer(bitPattern: bits)! }
}

/// A kind of handle with the class of the objects behind it.
struct HandleKind<Object: AnyObject>: Sendable {
  let code: UInt8

  init(_ kind: streams_kind) { code = UInt8(kind.rawValue) }
}

/// All kinds of handles, each with the class of its objects.
enum Kind {
  /// The hint in error messages when an object that has a publisher is passed as one.
  static func remedy(_ code: UInt8, expected: UInt8) -> String {
    let kinds = [STREAMS_KIND_SUBJECT, STREAMS_KIND_CONNECTABLE, STREAMS_KIND_PROMISE]
    guard UInt32(expected) == STREAMS_KIND_PUBLISHER.rawValue,
      kinds.contains(where: { $0.rawValue == UInt32(code) })
    else { return "" }
    return ": streams_\(name(code))_publisher makes one of it"
  }

  /// A kind's name in error messages.
  static func name(_ code: UInt8) -> String {
    switch streams_kind(rawValue: UInt32(code)) {
    case STREAMS_KIND_PUBLISHER: "publisher"
    case STREAMS_KIND_SUBJECT: "subject"
    case STREAMS_KIND_SUBSCRIPTION: "subscription"
    case STREAMS_KIND_CANCELLABLE: "cancellable"
    case STREAMS_KIND_ERROR: "error"
    case STREAMS_KIND_EMITTER: "emitter"
    case STREAMS_KIND_CALLABLE: "callable"
    case STREAMS_KIND_SCHEDULER: "scheduler"
    case STREAMS_KIND_POOL: "pool"
    case STREAMS_KIND_ACTION: "action"
    case STREAMS_KIND_DEBOUNCER: "debouncer"
    case STREAMS_KIND_THROTTLER: "throttler"
    case STREAMS_KIND_CONNECTABLE: "connectable"
    case STREAMS_KIND_PROMISE: "promise"
    case STREAMS_KIND_OBSERVABLE_OBJECT: "observable object"
    case STREAMS_KIND_PROPERTY: "property"
    case STREAMS_KIND_BINDING: "binding"
    case STREAMS_KIND_SCOPE_TREE: "scope tree"
    case STREAMS_KIND_SCOPE: "scope"
    default: "nothing"
    }
  }
}
