import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

extension Builder {
  func apply<Value: Element>(_ step: Failing, to upstream: AnyPublisher<Value, Fault>) -> Pipe {
    switch step {
    case .mapError:
      upstream.mapError {
        trace.add("    mapError of \($0)")
        return Fault(number: $0.number + 1)
      }.packed()
    case .replaceError(let number): upstream.replaceError(with: Value(number: number)).packedNever()
    case .assertNoFailure: upstream.assertNoFailure().packedNever()
    case .retry(let count): upstream.retry(count).packed()
    }
  }

  func apply<Value: Element>(_ step: Timed, to upstream: AnyPublisher<Value, Fault>) -> Pipe {
    let clock = world.clock
    return switch step {
    case .debounce(let ticks): upstream.debounce(for: Span(ticks: ticks), scheduler: clock).packed()
    case .throttle(let ticks, let latest):
      upstream.relayed(by: HoldFirstRequest.init)
        .throttle(for: Span(ticks: ticks), scheduler: clock, latest: latest).packed()
    case .delay(let ticks): upstream.delay(for: Span(ticks: ticks), scheduler: clock, options: 5).packed()
    case .timeout(let ticks, true):
      upstream.timeout(Span(ticks: ticks), scheduler: clock, options: 6) {
        trace.add("    timeout")
        return Fault(number: 88)
      }.packed()
    case .timeout(let ticks, false): upstream.timeout(Span(ticks: ticks), scheduler: clock).packed()
    case .measureInterval: upstream.measureInterval(using: clock).map(\.ticks).packed()
    case .receiveOn: upstream.receive(on: clock).packed()
    case .subscribeOn: upstream.subscribe(on: clock).packed()
    }
  }

  func apply<Value: Element>(_ step: Sharing, to upstream: AnyPublisher<Value, Fault>) -> Pipe {
    switch step {
    case .share: return upstream.share().packed()
    case .autoconnect(.passthrough): return upstream.multicast(makePassthrough).autoconnect().packed()
    case .autoconnect(.currentValue):
      return upstream.multicast(subject: makeCurrentValue()).autoconnect().packed()
    case .multicast(let number, .passthrough):
      return connectable(upstream.multicast(subject: makePassthrough()), number).packed()
    case .multicast(let number, .currentValue):
      return connectable(upstream.multicast(makeCurrentValue), number).packed()
    case .makeConnectable(let number):
      return connectable(upstream.replaceError(with: Value(number: 9)).makeConnectable(), number)
        .packedNever()
    case .makeConnectableAutoconnect:
      return upstream.replaceError(with: Value(number: 9)).makeConnectable().autoconnect().packedNever()
    case .throughSubject(.passthrough): return through(makePassthrough, upstream).packed()
    case .throughSubject(.currentValue): return through(makeCurrentValue, upstream).packed()
    }
  }

  private func makePassthrough<Value: Element>() -> PassthroughSubject<Value, Fault> {
    trace.add("    makes a subject")
    return PassthroughSubject()
  }

  private func makeCurrentValue<Value: Element>() -> CurrentValueSubject<Value, Fault> {
    trace.add("    makes a subject")
    return CurrentValueSubject(Value(number: 0))
  }

  private func connectable<Upstream: ConnectablePublisher>(_ upstream: Upstream, _ number: Int) -> Upstream {
    world.connectables[number, default: []].append { upstream.connect() }
    return upstream
  }

  /// Connects upstream to a subject whenever somebody subscribes to the subject.
  private func through<Middle: Subject, Value>(
    _ make: @escaping () -> Middle, _ upstream: AnyPublisher<Value, Fault>
  ) -> Deferred<Middle> where Middle.Output == Value, Middle.Failure == Fault {
    Deferred { [world] in
      let subject = make()
      // Kept, because when a subject is released is not compared.
      world.tickets.append(AnyCancellable { withExtendedLifetime(subject) {} })
      world.tickets.append(upstream.subscribe(subject))
      return subject
    }
  }

  func apply<Value: Element>(_ step: Fused, to upstream: AnyPublisher<Value, Fault>) -> Pipe {
    switch step {
    case .mapMap: upstream.map(change("map", 1)).map(change("map", 2)).packed()
    case .mapTryMap: upstream.map(change("map", 1)).tryMap(tryChange("tryMap", 2)).packedErrors()
    case .tryMapMap: upstream.tryMap(tryChange("tryMap", 1)).map(change("map", 2)).packedErrors()
    case .tryMapTryMap:
      upstream.tryMap(tryChange("tryMap", 1)).tryMap(tryChange("tryMap", 2)).packedErrors()
    case .filterFilter: upstream.filter(test("filter", 1)).filter(test("filter", 2)).packed()
    case .filterTryFilter:
      upstream.filter(test("filter", 1)).tryFilter(tryTest("tryFilter", 2)).packedErrors()
    case .tryFilterFilter:
      upstream.tryFilter(tryTest("tryFilter", 1)).filter(test("filter", 2)).packedErrors()
    case .tryFilterTryFilter:
      upstream.tryFilter(tryTest("tryFilter", 1)).tryFilter(tryTest("tryFilter", 2)).packedErrors()
    case .compactMapCompactMap:
      upstream.compactMap { test("compactMap", 1)($0) ? $0 : nil }
        .compactMap { test("compactMap", 2)($0) ? $0 : nil }.packed()
    case .compactMapMap:
      upstream.compactMap { test("compactMap", 1)($0) ? $0 : nil }.map(change("map", 2)).packed()
    case .mapFilterMap:
      upstream.map(change("map", 1)).filter(test("filter", 2)).map(change("map", 3)).packed()
    case .dropFirstDropFirst: upstream.dropFirst(1).dropFirst(1).packed()
    case .ignoreOutputIgnoreOutput:
      upstream.ignoreOutput().ignoreOutput().map { (value: Never) -> Value in }.packed()
    case .prefixPrefix: upstream.prefix(3).prefix(2).finishingWith(2).packed()
    case .scanScan:
      upstream.scan(Value(number: 1), add("scan")).scan(Value(number: 2), add("scan")).packed()
    case .appendAppend: upstream.append(Value(number: 1)).append(Value(number: 2)).packed()
    case .prependPrepend: upstream.prepend(Value(number: 1)).prepend(Value(number: 2)).packed()
    case .mapErrorMapError:
      upstream.mapError { Fault(number: $0.number + 1) }.mapError { Fault(number: $0.number * 2) }.packed()
    case .setFailureTypeTwice:
      upstream.replaceError(with: Value(number: 1)).setFailureType(to: Never.self).packedNever()
    case .removeDuplicatesTwice: upstream.removeDuplicates().removeDuplicates().packed()
    case .bufferBuffer:
      upstream.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
        .buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).packed()
    case .receiveOnReceiveOn: upstream.receive(on: world.clock).receive(on: world.clock).packed()
    case .shareShare: upstream.share().share().packed()
    case .printPrint:
      upstream.print("    a", to: Output(trace: trace)).print("    b", to: Output(trace: trace)).packed()
    }
  }
}
