/// Makes the case that belongs to a seed.
public struct Generator {
  var random: Random
  /// Numbers the sources and connectables.
  var sources = 0
  var connectables = 0

  public static func makeCase(seed: UInt64) -> Case {
    var generator = Generator(random: Random(seed: seed))
    let pipeline = generator.pipeline(steps: generator.random.below(5), depth: 0)
    return Case(pipeline: pipeline, script: generator.script())
  }

  // MARK: Pipelines

  mutating func pipeline(steps: Int, depth: Int) -> Pipeline {
    var result = Pipeline(.source(source()))
    for _ in 0..<steps { result = step(after: result, depth: depth) }
    return result
  }

  private mutating func step(after upstream: Pipeline, depth: Int) -> Pipeline {
    switch random.below(depth < 2 ? 20 : 15) {
    case 0..<5: Pipeline(.transform(transform()), [upstream])
    case 5..<8: Pipeline(.filter(filter()), [upstream])
    case 8..<10: Pipeline(.reduce(reduce()), [upstream])
    case 10: Pipeline(.failing(failing()), [upstream])
    case 11, 12: Pipeline(.timed(timed()), [upstream])
    case 13: Pipeline(.sharing(sharing()), [upstream])
    case 14: Pipeline(.fused(random.pick(Fused.allCases)), [upstream])
    default: join(upstream, depth: depth)
    }
  }

  private mutating func join(_ upstream: Pipeline, depth: Int) -> Pipeline {
    let join = join()
    var children = [upstream]
    let others =
      switch join {
      case .zip: 1 + random.below(3)
      case .appendValues, .prependValues, .deferred: 0
      default: 1
      }
    for _ in 0..<others {
      children.append(pipeline(steps: random.pick([0, 0, 0, 1, 1, 2]), depth: depth + 1))
    }
    return Pipeline(.join(join), children)
  }

  private mutating func source() -> Source {
    sources += 1
    let number = sources
    let value = random.below(10)
    return switch random.below(24) {
    case 0..<9: .probe(number, random.pick([.polite, .polite, .polite, .polite, .eager, .eager, .late]))
    case 9..<12: .passthrough(number)
    case 12, 13: .currentValue(number, value)
    case 14: random.once(in: 3) ? .futureNow(value, succeeds: random.once(in: 2)) : .future(number)
    case 15: .just(value)
    case 16: .optional(random.once(in: 3) ? nil : value)
    case 17: .result(value, succeeds: random.below(3) > 0)
    case 18: .empty(completes: random.below(3) > 0)
    case 19: .fail(value)
    case 20, 21: .sequence(random.below(6))
    case 22: .record(random.below(4), fails: random.once(in: 3))
    default: .special(random.pick(SpecialSource.allCases), random.below(204))
    }
  }

  private mutating func transform() -> Transform {
    let small = random.below(5)
    return random.pick([
      .map(small), .tryMap(small), .mapKeyPath(1 + random.below(3)), .scan(small), .tryScan(small),
      .replaceNil(small), .collectByCount(1 + random.below(3)), .encode, .decode, .print, .handleEvents,
      .handleNothing, .breakpoint, .breakpointOnError,
      .buffer(1 + random.below(3), keepFull: random.once(in: 2), random.pick(BufferStrategy.allCases)),
      .buffer(1 + random.below(3), keepFull: random.once(in: 2), random.pick(BufferStrategy.allCases)),
      .text, .list,
    ])
  }

  private mutating func filter() -> Filter {
    let small = random.below(5)
    return random.pick([
      .filter(small), .tryFilter(small), .compactMap(small), .tryCompactMap(small), .removeDuplicates,
      .removeDuplicatesBy(small), .tryRemoveDuplicates(small), .replaceEmpty(small), .ignoreOutput,
      .dropFirst(small), .dropWhile(small), .tryDropWhile(small), .prefix(small), .prefixWhile(small),
      .tryPrefixWhile(small), .outputAt(small), .outputIn(random.below(3), small),
    ])
  }

  private mutating func reduce() -> Reduce {
    let small = random.below(5)
    return random.pick([
      .collect, .reduce, .tryReduce(small), .count, .min, .max, .minBy, .maxBy, .tryMinBy(small),
      .tryMaxBy(small), .contains(small), .containsWhere(small), .tryContainsWhere(small),
      .allSatisfy(small), .tryAllSatisfy(small), .first, .last, .firstWhere(small), .tryFirstWhere(small),
      .lastWhere(small), .tryLastWhere(small),
    ])
  }

  private mutating func failing() -> Failing {
    random.pick([
      .mapError, .mapError, .replaceError(random.below(10)), .replaceError(random.below(10)),
      .retry(random.below(3)), .retry(1), random.once(in: 8) ? .assertNoFailure : .mapError,
    ])
  }

  private mutating func timed() -> Timed {
    let length = 1 + random.below(5)
    return random.pick([
      .debounce(length), .throttle(length, latest: true), .throttle(length, latest: false), .delay(length),
      .timeout(2 * length, fails: random.once(in: 2)), .measureInterval, .receiveOn, .subscribeOn,
    ])
  }

  private mutating func sharing() -> Sharing {
    connectables += 1
    let kind = random.pick(SubjectKind.allCases)
    return random.pick([
      .share, .share, .autoconnect(kind), .multicast(connectables, kind), .makeConnectable(connectables),
      .makeConnectableAutoconnect, .throughSubject(kind),
    ])
  }

  private mutating func join() -> Join {
    random.pick([
      .zip(transforms: true), .zip(transforms: false), .append, .append, .prepend, .prepend,
      .appendValues(random.below(4)), .prependValues(random.below(4)), .prefixUntilOutput,
      .dropUntilOutput, .flatMap(nil), .flatMap(nil), .flatMap(1 + random.below(3)),
      .flatMap(1 + random.below(2)), .switchToLatest, .switchToLatest, .deferred, .catching, .catching,
      .tryCatching(random.below(5)),
    ])
  }
}

// MARK: - Scripts

extension Generator {
  mutating func script() -> Script {
    var script = Script()
    script.initial = random.pick([.unlimited, .unlimited, .max(1), .max(1), .max(2), .max(3), nil, nil])
    script.returned = random.pick([
      [.max(0)], [.max(0)], [.max(0)], [.max(1)], [.max(0), .max(1)], [.max(2), .max(0), .max(0)],
      [.max(0), .max(0), .unlimited],
    ])
    script.sinks = random.once(in: 12)
    for _ in 0..<random.pick([0, 0, 0, 1, 1, 2, 3]) {
      script.reactions.append(Reaction(moment: moment(), action: action(reacting: true)))
    }
    for _ in 0..<(3 + random.below(14)) { script.actions.append(action(reacting: false)) }
    script.actions.append(.advance(20))
    return script
  }

  private mutating func moment() -> Moment {
    random.pick([.subscription, .value(0), .value(0), .value(1), .value(random.below(4)), .completion])
  }

  private mutating func anySource() -> Int { 1 + random.below(sources) }
  private mutating func amount() -> Amount { random.once(in: 6) ? .unlimited : .max(1 + random.below(3)) }

  private mutating func action(reacting: Bool) -> Action {
    let one = random.once(in: 4) ? random.below(3) : nil
    let send = Action.send(source: anySource(), value: random.below(10), to: one)
    // A cancel ends most of what there is to see, so it is rare in the script itself.
    switch random.below(32) {
    case 0..<12: return send
    case 12..<14: return .finish(source: anySource())
    case 14: return .fail(source: anySource(), value: random.below(10))
    case 15: return .greet(source: anySource())
    case 16..<22: return .request(recorder: random.once(in: 5) ? 1 : 0, amount())
    case 22: return .cancel(recorder: random.once(in: 5) ? 1 : 0)
    case 23: return reacting ? .cancel(recorder: 0) : send
    // A scheduler does not run an action within another one.
    case 24..<28: return reacting ? send : .advance(1 + random.below(6))
    case 28, 29: return connectables > 0 ? .connect(1 + random.below(connectables)) : send
    case 30: return connectables > 0 ? .disconnect(1 + random.below(connectables)) : send
    default: return .subscribe
    }
  }
}
