import CStreams
import Streams
import StreamsShims

/// A run of steps that are all functions of one host: the host's objects pass from one to the next, and become values of the
/// library only before the first and after the last.
final class HostSteps: ForeignSteps {
  private enum Action {
    case map
    case filter
    case compactMap
  }

  /// Keeps the callbacks alive.
  private let last: Step
  private let host: Host
  private let callables: [Callable]
  private let functions: UnsafeMutablePointer<(action: Action, function: UnsafeMutableRawPointer)>

  /// The steps, if they are a host's. The object is made, and perhaps discarded, only if the last step is a host's.
  static func of(_ last: Step) -> HostSteps? {
    action(last) == nil ? nil : HostSteps(last)
  }

  /// Returns nil unless every step is a callable of the same host.
  private init?(_ last: Step) {
    var found: [(action: Action, callable: Callable)] = []
    let areHosts = last.allSatisfy { _, step in
      guard let each = HostSteps.callable(step), each.callable.host === (found.first ?? each).callable.host
      else { return false }
      found.append(each)
      return true
    }
    guard areHosts, let host = found.first?.callable.host else { return nil }
    self.last = last
    self.host = host
    callables = found.reversed().map(\.callable)
    functions = .allocate(capacity: found.count)
    for (place, each) in found.reversed().enumerated() {
      (functions + place).initialize(to: (each.action, each.callable.function))
    }
  }

  deinit { functions.deallocate() }

  override func attach(_ downstream: Downstream<Value, StreamError>, to upstream: ValuePublisher) {
    upstream.subscribe(HostStageInner(downstream: downstream, steps: self))
  }

  /// The action of a step that is a host function, recognized by the library's C functions that call those.
  private static func action(_ step: Step) -> Action? {
    let transform = unsafeBitCast(streams_callable_transform as streams_transform_fn, to: Int.self)
    let predicate = unsafeBitCast(streams_callable_predicate as streams_predicate_fn, to: Int.self)
    switch step.function {
    case .map(let function) where unsafeBitCast(function, to: Int.self) == transform: return .map
    case .compactMap(let function) where unsafeBitCast(function, to: Int.self) == transform:
      return .compactMap
    case .filter(let function) where unsafeBitCast(function, to: Int.self) == predicate: return .filter
    default: return nil
    }
  }

  private static func callable(_ step: Step) -> (action: Action, callable: Callable)? {
    guard let action = action(step), let handle = step.context, let token = Token(UnsafeRawPointer(handle)),
      token.kind == Kind.callable.code, let slot = HandleTable.acquire(token)
    else { return nil }
    defer { HandleTable.release(slot) }
    return (action, Unmanaged<Callable>.fromOpaque(slot.pointee.object!).takeUnretainedValue())
  }

  /// Runs `body` with the host's lock held, so that it is not taken again for each value. Returns nil, and runs nothing, if the
  /// host is retired.
  func entered<Result>(_ body: () -> Result) -> Result? { host.entered(body) }

  /// Passes a value through the functions, until one of them has ended the stream, and the result to `deliver`. Throws the error
  /// that a function has raised.
  @inline(__always)
  func run(
    _ value: UnsafePointer<Value>, until ended: UnsafePointer<UInt8>,
    _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) -> Result<Subscribers.Demand, StreamError> {
    host.entered {
      if let object = host.ownObject(value) { return pass(object, until: ended, deliver) }
      do throws(ConversionFailure) {
        let object = try host.object(value)
        defer { host.release(object) }
        return pass(object, until: ended, deliver)
      } catch {
        return .failure(host.error(error))
      }
    } ?? .failure(host.retiredError)
  }

  /// Must be called with the lock held. The object belongs to the caller.
  private func pass(
    _ object: UnsafeMutableRawPointer, until ended: UnsafePointer<UInt8>,
    _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) -> Result<Subscribers.Demand, StreamError> {
    var current = object
    defer { if current != object { host.release(current) } }
    for index in 0..<callables.count {
      let (action, function) = functions[index]
      guard let result = host.call(function, current) else { return .failure(host.takeError()) }
      switch action {
      case .map:
        replace(&current, with: result, input: object)
      case .compactMap:
        replace(&current, with: result, input: object)
        if host.isNull(result) { return .success(.max(1)) }
      case .filter:
        let isTrue = host.calling { host.table.is_true(result) }
        host.release(result)
        if isTrue < 0 { return .failure(host.takeError()) }
        if isTrue == 0 { return .success(.max(1)) }
      }
      if streams_has_ended(ended) != 0 { return .success(.none) }
    }
    return .success(host.withValue(borrowing: current, deliver))
  }

  /// Replaces the last reference by a new one.
  @inline(__always)
  private func replace(
    _ current: inout UnsafeMutableRawPointer, with result: UnsafeMutableRawPointer,
    input: UnsafeMutableRawPointer
  ) {
    if current != input { host.release(current) }
    if result == input {
      // The function returned the caller's own object, whose reference is enough.
      host.release(result)
      current = input
    } else {
      current = result
    }
  }
}

/// Steps that are functions of a host.
final class HostStageInner: StageEnds, Subscriber {
  private let steps: HostSteps

  init(downstream: Downstream<Value, StreamError>, steps: HostSteps) {
    self.steps = steps
    super.init(downstream: downstream)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, !isEnded.load(ordering: .relaxed) else { return .refused() }
    if batch.count > 1 { return steps.entered { receiveSeveral(batch) } ?? receiveSeveral(batch) }
    // Not captured directly, which would count a reference for each value: the caller holds it.
    let stage = Unmanaged.passUnretained(self)
    let result = steps.run(base, until: endMark) { value in
      stage._withUnsafeGuaranteedRef {
        $0.downstream.receive(contentsOf: UnsafeBufferPointer(start: value, count: 1))
      }
    }
    switch result {
    case .success(let demand): return unlessEnded(demand)
    case .failure(let error):
      fail(error)
      return .none
    }
  }

  private func receiveSeveral(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    gathers ? unlessEnded(receiveMany(batch)) : receive(inStep: batch)
  }

  private func receiveMany(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    GatheredPage.with(batch, of: self) { page, progress in
      for index in 0..<batch.count where !isEnded.load(ordering: .relaxed) {
        progress.pointee.index = index
        let result = steps.run(batch.baseAddress! + index, until: endMark) {
          page.end.store($0.pointee)
          page.add()
          return .none
        }
        switch result {
        case .success(let dropped):
          page.pointee.demand += dropped
          if page.room == 0 { page.turn() }
        case .failure(let error):
          page.turn()
          fail(error)
        }
      }
    }
  }
}
