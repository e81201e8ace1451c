import CStreams
import Streams
import StreamsExtras
import Synchronization

/// The publisher behind a handle: an upstream, and the stateless steps that wait to be run as one stage.
final class PublisherObject {
  private let upstream: ValuePublisher
  /// The last of the steps.
  let steps: Step?
  /// A reference to the steps as they are called, ``Steps`` or ``ForeignSteps``; 0 until somebody needs them. An
  /// `AtomicLazyReference` looks up its type at each use.
  private let layout = Atomic<UInt>(0)
  /// How many operators are nested in the upstream, up to the next that looks at the stack.
  private let upstreamDepth: Int
  /// The function that has made it, and what of: for whoever looks at it.
  let function: StaticString
  private(set) var previous: PublisherObject?
  /// An array without elements would be counted as one with some.
  private let joined: [PublisherObject]?

  /// How many operators may be nested without a look at the stack.
  private static let greatestDepth = 16

  @inline(never)
  init(
    _ publisher: ValuePublisher, depth: Int = 0, by function: StaticString,
    of previous: PublisherObject? = nil, and others: [PublisherObject] = []
  ) {
    let isDeep = depth >= Self.greatestDepth
    upstream = isDeep ? StackChecked(publisher).eraseToAnyPublisher() : publisher
    upstreamDepth = isDeep ? 0 : depth
    steps = nil
    self.function = function
    self.previous = previous
    joined = others.isEmpty ? nil : others
  }

  /// The publisher with one step more, which knows the others.
  init(_ object: consuming PublisherObject, _ step: consuming Step, by function: StaticString) {
    upstream = object.upstream
    upstreamDepth = object.upstreamDepth
    steps = consume step
    self.function = function
    previous = consume object
    joined = nil
  }

  /// One after the other, not one within the other.
  deinit {
    var each = previous.take()
    while isKnownUniquelyReferenced(&each) { each = each?.previous.take() }
    if let joined { Trampoline.run(joined) { withExtendedLifetime($0) {} } }
    if let layout = UnsafeRawPointer(bitPattern: layout.load(ordering: .relaxed)) {
      Unmanaged<AnyObject>.fromOpaque(layout).release()
    }
  }

  var others: [PublisherObject] { joined ?? [] }

  /// How many operators are nested in the publisher, up to the next that looks at the stack.
  var depth: Int { upstreamDepth + (steps == nil ? 0 : 1) }

  private var stage: Stage? {
    guard let steps else { return nil }
    let known = layout.load(ordering: .acquiring)
    return Stage(upstream: upstream, steps: PublisherObject.object(at: known) ?? layOut(steps))
  }

  @inline(never)
  private func layOut(_ last: Step) -> AnyObject {
    let made: AnyObject = ForeignRuntime.current?.steps(upTo: last) ?? Steps.of(last)
    let reference = Unmanaged.passRetained(made)
    let (isFirst, other) = layout.compareExchange(
      expected: 0, desired: UInt(bitPattern: reference.toOpaque()), ordering: .acquiringAndReleasing)
    if isFirst { return made }
    reference.release()
    return PublisherObject.object(at: other) ?? made
  }

  private static func object(at address: UInt) -> AnyObject? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The publisher with its steps in place.
  var publisher: ValuePublisher { stage?.eraseToAnyPublisher() ?? upstream }

  func subscribe(_ subscriber: SubscriptionObject) {
    if let stage { stage.subscribe(subscriber) } else { upstream.subscribe(subscriber) }
  }
}

extension Call {
  /// Makes a handle for a publisher in which so many operators are nested, and that is made of others.
  func publish(
    _ publisher: some Publisher<Value, StreamError>, depth: Int = 0, of previous: PublisherObject? = nil,
    and others: [PublisherObject] = []
  ) -> OpaquePointer? {
    let erased = publisher.eraseToAnyPublisher()
    return publish(PublisherObject(erased, depth: depth, by: function, of: previous, and: others))
  }

  /// Makes a handle for a publisher that this call has made.
  @inline(never)
  func publish(_ object: consuming PublisherObject) -> OpaquePointer? {
    if !Trace.isOff { object = Trace.tracking(object) }
    return handle(consume object, Kind.publisher)
  }

  /// Consumes a publisher's handle: takes over its reference. Returns nil with the last error set.
  ///
  /// A chain is checked once, at its end: a NULL that follows from an earlier failure keeps that failure's error.
  func consume(_ handle: OpaquePointer?, _ argument: Argument = "publisher") -> PublisherObject? {
    consume(handle, argument, Kind.publisher)
  }

  /// The same for a handle of another kind.
  private func consume<Object>(
    _ handle: OpaquePointer?, _ argument: Argument, _ kind: HandleKind<Object>
  ) -> Object? {
    guard handle != nil else {
      if LastError.status == STREAMS_OK { _ = refuse(nil, argument) }
      return nil
    }
    // Nothing is to be done to a publisher with its last reference but what its object does itself.
    if kind.code == Kind.publisher.code, let token = Token(UnsafeRawPointer(handle)), token.kind == kind.code
    {
      Gathering.deliverFirst()
      if let object = HandleTable.takeOver(token) {
        return Unmanaged<Object>.fromOpaque(object.toOpaque()).takeRetainedValue()
      }
    }
    return take(handle, argument, kind)
  }

  /// Consumes a publisher for `body`, which gets nil if there is none. It is released when `body` has returned: what that
  /// calls leaves the error of a failure alone.
  func consuming<Result>(
    _ handle: OpaquePointer?, _ argument: Argument = "publisher", _ body: (PublisherObject?) -> Result
  ) -> Result {
    consuming(handle, argument, Kind.publisher, body)
  }

  /// The same for a handle of another kind.
  func consuming<Object, Result>(
    _ handle: OpaquePointer?, _ argument: Argument, _ kind: HandleKind<Object>,
    _ body: (Object?) -> Result
  ) -> Result {
    guard let consumed = consume(handle, argument, kind).map({ Unmanaged.passRetained($0) }) else {
      return beside(handle) { body(nil) }
    }
    let result = consumed._withUnsafeGuaranteedRef { body($0) }
    UserCallback.releasing { consumed.release() }
    return result
  }

  /// Runs `body`, which leaves the last error alone where that is why a publisher is NULL: the chain's first error is
  /// what counts, whatever else is wrong.
  @inline(never)
  func beside<Result>(_ publisher: OpaquePointer?, _ body: () -> Result) -> Result {
    guard publisher == nil, LastError.status != STREAMS_OK else { return body() }
    var result: Result?
    LastError.keep { result = body() }
    return result.unsafelyUnwrapped
  }

  /// Takes over a reference. Returns nil with the last error set.
  func take<Object>(
    _ handle: OpaquePointer?, _ argument: Argument, _ kind: HandleKind<Object>
  ) -> Object? {
    var taken: Object?
    _ = with(UnsafeRawPointer(handle), argument, kind) { object in
      let status = release(UnsafeRawPointer(handle))
      if status == STREAMS_OK { taken = object }
      return status
    }
    return taken
  }

  /// Consumes a publisher and makes a handle of what `transform` makes of it, which may look at the stack itself.
  func attach<P: Publisher<Value, StreamError>>(
    _ handle: OpaquePointer?, checksStack: Bool = false, _ transform: (ValuePublisher) -> P?
  ) -> OpaquePointer? {
    Trampoline.through {
      consuming(handle) { object in
        guard let object, let result = transform(object.publisher) else { return nil }
        let isStackChecked = checksStack || P.self == StackChecked.self
        return publish(result, depth: isStackChecked ? 0 : object.depth + 1, of: object)
      }
    }
  }

  /// Consumes two publishers, both of them even if one is bad, and makes a handle of what `transform` makes of them. The
  /// first that is bad is what is reported.
  func attach<P: Publisher<Value, StreamError>>(
    _ handle: OpaquePointer?, _ otherHandle: OpaquePointer?, named argument: Argument = "other",
    _ transform: (ValuePublisher, ValuePublisher) -> P?
  ) -> OpaquePointer? {
    Trampoline.through {
      consuming(handle) { object in
        guard let object else {
          LastError.keep { consuming(otherHandle) { _ in } }
          return nil
        }
        return consuming(otherHandle, argument) { other in
          guard let other else {
            if handle == otherHandle { refuse(argument, asConsumedWith: "publisher") }
            return nil
          }
          guard let result = transform(object.publisher, other.publisher) else { return nil }
          return publish(result, depth: max(object.depth, other.depth) + 1, of: object, and: [other])
        }
      }
    }
  }

  /// Says of a handle that this call has consumed already why it is no longer good.
  @inline(never)
  func refuse(_ argument: Argument, asConsumedWith first: Argument) {
    _ = fail(
      STREAMS_STALE_HANDLE,
      "\(argument) is the same handle as \(first), and each consumes a reference: retain it first")
  }

  /// A callback's function, or nil with the last error set.
  func required<Function>(_ function: Function?, _ argument: StaticString) -> Function? {
    if function == nil { _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL") }
    return function
  }
}

extension Kind {
  static let publisher = HandleKind<PublisherObject>(STREAMS_KIND_PUBLISHER)
}
