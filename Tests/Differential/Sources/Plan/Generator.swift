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
    case 0..<5: Pipeline(.step(step(.transform)), [upstream])
    case 5..<8: Pipeline(.step(step(.filter)), [upstream])
    case 8..<10: Pipeline(.step(step(.reduce)), [upstream])
    case 10: Pipeline(.step(step(.failing)), [upstream])
    case 11, 12: Pipeline(.step(step(.timed)), [upstream])
    case 13: Pipeline(.sharing(sharing()), [upstream])
    case 14: Pipeline(.step(step(.fused)), [upstream])
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
    default: special()
    }
  }

  private mutating func special() -> Source {
    let source = random.pick(SpecialSource.allCases)
    let families: [Step.Family] = [.transform, .filter, .reduce, .failing, .special]
    return .special(
      source,
      step {
        families.contains($0.family) && [.anywhere, source.canFail ? .fails : .safe].contains($0.place)
      })
  }

  private mutating func step(_ family: Step.Family) -> Step {
    // One that lets no failure pass is rare: it traps.
    let mayTrap = random.once(in: 8)
    return step { $0.family == family && (mayTrap || $0.name != "assertNoFailure") }
  }

  private mutating func step(where isChosen: (Step.Kind) -> Bool) -> Step {
    let kind = random.pick(Step.kinds.filter(isChosen))
    return Step(name: kind.name, numbers: kind.numbers.map { $0.lowerBound + random.below($0.count) })
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
      script.reactions.append(Reaction(moment(), action(reacting: true)))
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
