import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

extension Builder {
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
        .packed()
    case .makeConnectableAutoconnect:
      return upstream.replaceError(with: Value(number: 9)).makeConnectable().autoconnect().packed()
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
      world.cancellables.append(AnyCancellable { withExtendedLifetime(subject) {} })
      world.cancellables.append(upstream.subscribe(subject))
      return subject
    }
  }
}
