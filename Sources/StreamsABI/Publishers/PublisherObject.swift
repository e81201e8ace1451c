import CStreams
import Streams
import StreamsExtras
import Synchronization

/// The publisher behind a handle: an upstream, and stateless steps that will run as one stage.
final class PublisherObject {
  private let upstream: ValuePublisher
  /// The last of the steps.
  let steps: Step?
  /// A reference to the callable steps, ``Steps`` or ``ForeignSteps``; 0 until they are needed. An `AtomicLazyReference` would
  /// look up its type at each use.
  private let layout = Atomic<UInt>(0)
  /// How many operators are nested in the upstream, up to the next stack check.
  private let upstreamDepth: Int32
  /// The number of its record, if it is watched.
  var watched: UInt32 = 0
  /// The function that has made it, and the publishers it was made of, for introspection.
  let function: StaticString
  private(set) var previous: PublisherObject?
  /// Optional, because even an empty array is reference-counted.
  private let joined: [PublisherObject]?

  /// How many operators may be nested without a stack check.
  private static let greatestDepth = 16

  @inline(never)
  init(
    _ publisher: ValuePublisher, depth: Int = 0, by function: StaticString,
    of previous: PublisherObject? = nil, and others: [PublisherObject] = []
  ) {
    let isDeep = depth >= Self.greatestDepth
    upstream = isDeep ? StackChecked(publisher).eraseToAnyPublisher() : publisher
    upstreamDepth = isDeep ? 0 : Int32(depth)
    steps = nil
    self.function = function
    self.previous = previous
    joined = others.isEmpty ? nil : others
  }

  /// The publisher behind a tracker.
  convenience init(_ object: PublisherObject, _ tracking: Tracking) {
    self.init(
      Tracker(object.publisher, tracking).eraseToAnyPublisher(), depth: object.depth + 1, by: object.function,
      of: object.previous, and: object.others)
    watched = tracking.watched?.number ?? 0
  }

  /// The publisher with one more step, which refers to the earlier ones.
  init(_ object: consuming PublisherObject, _ step: consuming Step, by function: StaticString) {
    upstream = object.upstream
    upstreamDepth = object.upstreamDepth
    steps = consume step
    self.function = function
    previous = consume object
    joined = nil
  }

  /// Releases the chain in a loop, without recursion.
  deinit {
    var each = previous.take()
    while isKnownUniquelyReferenced(&each) { each = each?.previous.take() }
    if let joined { Trampoline.run(joined) { withExtendedLifetime($0) {} } }
    if let layout = UnsafeRawPointer(bitPattern: layout.load(ordering: .relaxed)) {
      Unmanaged<AnyObject>.fromOpaque(layout).release()
    }
  }

  var others: [PublisherObject] { joined ?? [] }

  /// How many operators are nested in the publisher, up to the next stack check.
  var depth: Int { Int(upstreamDepth) + (steps == nil ? 0 : 1) }

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
  /// Makes a handle of a publisher with that many nested operators, made of others.
  func publish(
    _ publisher: some Publisher<Value, StreamError>, depth: Int = 0, of previous: PublisherObject? = nil,
    and others: [PublisherObject] = []
  ) -> OpaquePointer? {
    let erased = publisher.eraseToAnyPublisher()
    return publish(PublisherObject(erased, depth: depth, by: function, of: previous, and: others))
  }

  /// Makes a handle of a publisher that this call has made.
  @inline(never)
  func publish(_ object: consuming PublisherObject) -> OpaquePointer? {
    if !Trace.isOff { object = Trace.tracking(object) }
    return handle(consume object, Kind.publisher)
  }

  /// Consumes a publisher's handle: takes ownership of its reference. Returns nil with the last error set.
  ///
  /// A chain is checked once, at its end: a NULL that follows from an earlier failure keeps that failure's error.
  func consume(_ handle: OpaquePointer?, _ argument: Argument = "publisher") -> PublisherObject? {
    consume(handle, argument, Kind.publisher)
  }

  /// Consumes a handle of any kind: takes ownership of its reference. Returns nil with the last error set.
  private func consume<Object>(
    _ handle: OpaquePointer?, _ argument: Argument, _ kind: HandleKind<Object>
  ) -> Object? {
    guard handle != nil else {
      if LastError.status == STREAMS_OK { _ = refuse(nil, argument) }
      return nil
    }
    // A publisher needs nothing else with its last reference: its object does it all.
    if kind.code == Kind.publisher.code, let token = Token(UnsafeRawPointer(handle)), token.kind == kind.code
    {
      Gathering.deliverFirst()
      if let object = HandleTable.takeOver(token) {
        return Unmanaged<Object>.fromOpaque(object.toOpaque()).takeRetainedValue()
      }
    }
    return take(handle, argument, kind)
  }

  /// Consumes a publisher for `body`, which gets nil if there is none. It is released after `body` has returned, and callbacks of
  /// that release do not replace the error of a failure.
  func consuming<Result>(
    _ handle: OpaquePointer?, _ argument: Argument = "publisher", _ body: (PublisherObject?) -> Result
  ) -> Result {
    consuming(handle, argument, Kind.publisher, body)
  }

  /// Consumes a handle of any kind for `body`, which gets nil if it is invalid. It is released after `body` has returned.
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

  /// Runs `body`. If the publisher is NULL because of an earlier failure, keeps that failure as the last error, whatever else is
  /// wrong.
  @inline(never)
  func beside<Result>(_ publisher: OpaquePointer?, _ body: () -> Result) -> Result {
    guard publisher == nil, LastError.status != STREAMS_OK else { return body() }
    var result: Result?
    LastError.keep { result = body() }
    return result.unsafelyUnwrapped
  }

  /// Takes ownership of a reference. Returns nil with the last error set.
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

  /// Consumes a publisher and makes a handle of the one that `transform` makes of it, which may check the stack itself.
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

  /// Consumes two publishers, both even if one is invalid, and makes a handle of the one that `transform` makes of them. Reports
  /// the first invalid one.
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

  /// Reports that this call has already consumed a handle as another argument.
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
