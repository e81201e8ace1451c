import CStreams
import StreamsExtras
import StreamsSchedulers
import StreamsScopes

/// A handle as C holds it: where its slot is, which of the slot's lives it belongs to, and its kind.
///
/// From the highest bit: 6 times 0, 24 bits of generation, 28 bits of slot, 5 bits of kind, and a 1, which no pointer
/// to memory has.
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

/// A kind of handle together with the class of the objects behind it.
struct HandleKind<Object: AnyObject>: Sendable {
  let code: UInt8

  fileprivate init(_ kind: streams_kind) { code = UInt8(kind.rawValue) }
}

/// All kinds of handles.
enum Kind {
  static let publisher = HandleKind<PublisherObject>(STREAMS_KIND_PUBLISHER)
  static let subject = HandleKind<SubjectObject>(STREAMS_KIND_SUBJECT)
  static let subscription = HandleKind<SubscriptionObject>(STREAMS_KIND_SUBSCRIPTION)
  static let cancellable = HandleKind<CancellableObject>(STREAMS_KIND_CANCELLABLE)
  static let error = HandleKind<StreamError>(STREAMS_KIND_ERROR)
  static let emitter = HandleKind<EmitterObject>(STREAMS_KIND_EMITTER)
  static let callable = HandleKind<Callable>(STREAMS_KIND_CALLABLE)
  static let scheduler = HandleKind<SchedulerObject>(STREAMS_KIND_SCHEDULER)
  static let pool = HandleKind<QueuePool>(STREAMS_KIND_POOL)
  static let action = HandleKind<ActionObject>(STREAMS_KIND_ACTION)
  static let debouncer = HandleKind<Limiter<Debouncer>>(STREAMS_KIND_DEBOUNCER)
  static let throttler = HandleKind<Limiter<Throttler>>(STREAMS_KIND_THROTTLER)
  static let connectable = HandleKind<ConnectableObject>(STREAMS_KIND_CONNECTABLE)
  static let promise = HandleKind<PromiseObject>(STREAMS_KIND_PROMISE)
  static let observableObject = HandleKind<PublishedObject>(STREAMS_KIND_OBSERVABLE_OBJECT)
  static let property = HandleKind<PropertyObject>(STREAMS_KIND_PROPERTY)
  static let binding = HandleKind<BindingObject>(STREAMS_KIND_BINDING)
  static let scopeTree = HandleKind<ScopeTreeObject>(STREAMS_KIND_SCOPE_TREE)
  static let scope = HandleKind<Scope>(STREAMS_KIND_SCOPE)

  /// What error messages say of what has a publisher and was given for one.
  static func remedy(_ code: UInt8, expected: UInt8) -> String {
    guard expected == publisher.code, [subject.code, connectable.code, promise.code].contains(code) else {
      return ""
    }
    return ": streams_\(name(code))_publisher makes one of it"
  }

  /// What error messages call a kind.
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
