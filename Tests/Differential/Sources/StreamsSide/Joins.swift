import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

extension Builder {
  func build(_ join: Join, _ children: [Pipeline]) -> Pipe {
    if case .deferred = join { return deferred(children[0]) }
    let others = Array(children.dropFirst())
    return switch build(children[0]) {
    case .numbers(let publisher): apply(join, to: publisher, others)
    case .texts(let publisher): apply(join, to: publisher, others)
    case .lists(let publisher): apply(join, to: publisher, others)
    }
  }

  private func deferred(_ child: Pipeline) -> Pipe {
    Deferred {
      trace.add("    deferred")
      return build(child).values(of: Int.self)
    }.packed()
  }

  private func apply<Value: Element>(
    _ join: Join, to upstream: AnyPublisher<Value, Fault>, _ others: [Pipeline]
  ) -> Pipe {
    /// The publishers that are made on the way.
    func made(_ name: String, by number: Int) -> AnyPublisher<Value, Fault> {
      note(name, number)
      return Builder(world: world, offset: offset + number % 10).build(others[0]).values(of: Value.self)
    }
    func fixed(_ count: Int) -> [Value] { values(count).map(Value.init(number:)) }
    switch join {
    case .zip(let transforms): return zip(upstream, others.map(build), transforms)
    case .append: return upstream.append(build(others[0]).values(of: Value.self)).packed()
    case .prepend: return upstream.prepend(build(others[0]).values(of: Value.self)).packed()
    case .appendValues(2): return upstream.append(Value(number: 1), Value(number: 2)).packed()
    case .appendValues(let count): return upstream.append(fixed(count)).packed()
    case .prependValues(2): return upstream.prepend(Value(number: 1), Value(number: 2)).packed()
    case .prependValues(let count): return upstream.prepend(fixed(count)).packed()
    case .prefixUntilOutput:
      return upstream.prefix(untilOutputFrom: build(others[0]).values(of: Int.self)).packed()
    case .dropUntilOutput:
      return upstream.drop(untilOutputFrom: build(others[0]).values(of: Int.self)).packed()
    case .flatMap(let count):
      return upstream.flatMap(maxPublishers: count.map(Subscribers.Demand.max) ?? .unlimited) {
        made("flatMap", by: $0.number)
      }.packed()
    case .switchToLatest:
      return upstream.map { made("switchToLatest", by: $0.number) }.switchToLatest().packed()
    case .catching: return upstream.catch { made("catch", by: $0.number) }.packed()
    case .tryCatching(let number):
      return upstream.tryCatch { fault in
        if (fault.number + number) % 3 == 2 { throw Fault(number: 77) }
        return made("tryCatch", by: fault.number)
      }.packed()
    case .deferred: fatalError("deferred has no upstream")
    }
  }

  private func zip<Value: Element>(
    _ first: AnyPublisher<Value, Fault>, _ others: [Pipe], _ transforms: Bool
  ) -> Pipe {
    let rest = others.map { $0.values(of: Int.self) }
    switch (rest.count, transforms) {
    case (1, true): return first.zip(rest[0]) { List(items: [$0.number, $1]) }.packed()
    case (1, false): return first.zip(rest[0]).map { List(items: [$0.number, $1]) }.packed()
    case (2, true): return first.zip(rest[0], rest[1]) { List(items: [$0.number, $1, $2]) }.packed()
    case (2, false): return first.zip(rest[0], rest[1]).map { List(items: [$0.number, $1, $2]) }.packed()
    case (_, true):
      return first.zip(rest[0], rest[1], rest[2]) { List(items: [$0.number, $1, $2, $3]) }.packed()
    case (_, false):
      return first.zip(rest[0], rest[1], rest[2]).map { List(items: [$0.number, $1, $2, $3]) }.packed()
    }
  }
}
