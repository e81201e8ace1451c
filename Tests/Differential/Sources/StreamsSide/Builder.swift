import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

/// Makes publishers from their descriptions.
struct Builder {
  let world: World
  /// What the values of fixed sources are raised by: tells the publishers of one `flatMap` apart.
  var offset = 0

  var trace: Trace { world.trace }

  func build(_ pipeline: Pipeline) -> Pipe { tap(untapped(pipeline), pipeline.root) }

  private func untapped(_ pipeline: Pipeline) -> Pipe {
    world.disturb()
    if case .source(let source) = pipeline.root { return build(source) }
    if case .join(let join) = pipeline.root { return build(join, pipeline.children) }
    return switch build(pipeline.children[0]) {
    case .numbers(let publisher): step(pipeline.root, publisher)
    case .texts(let publisher): step(pipeline.root, publisher)
    case .lists(let publisher): step(pipeline.root, publisher)
    }
  }

  private func tap(_ pipe: Pipe, _ root: Operator) -> Pipe {
    guard world.options.taps else { return pipe }
    func tap<Value: Element>(_ publisher: AnyPublisher<Value, Fault>) -> Pipe {
      publisher.relayed { subscriber in
        world.tapCount += 1
        return Tap(subscriber, name: "\(root.name)#\(world.tapCount)", trace: trace)
      }.packed()
    }
    return switch pipe {
    case .numbers(let publisher): tap(publisher)
    case .texts(let publisher): tap(publisher)
    case .lists(let publisher): tap(publisher)
    }
  }

  private func step<Value: Element>(_ root: Operator, _ upstream: AnyPublisher<Value, Fault>) -> Pipe {
    switch root {
    case .step(let step): apply(step, to: upstream)
    case .sharing(let step): apply(step, to: upstream)
    case .source, .join: fatalError("\(root) is no step")
    }
  }

  // MARK: Closures that write down their calls

  func note<Value: Element>(_ name: String, _ value: Value) { trace.add("    \(name) of \(value)") }

  /// Is true for some values.
  func test<Value: Element>(_ name: String, _ number: Int) -> (Value) -> Bool {
    {
      note(name, $0)
      return ($0.number &+ number) % 3 != 0
    }
  }

  /// Is true for some values and throws for others.
  func tryTest<Value: Element>(_ name: String, _ number: Int) -> (Value) throws -> Bool {
    {
      note(name, $0)
      if ($0.number &+ number) % 5 == 4 { throw Fault(number: $0.number) }
      return ($0.number &+ number) % 3 != 0
    }
  }

  func change<Value: Element>(_ name: String, _ number: Int) -> (Value) -> Value {
    {
      note(name, $0)
      return Value(number: ($0.number &* 2 &+ number) % 1000)
    }
  }

  func tryChange<Value: Element>(_ name: String, _ number: Int) -> (Value) throws -> Value {
    {
      note(name, $0)
      if ($0.number &+ number) % 5 == 4 { throw Fault(number: $0.number) }
      return Value(number: ($0.number &* 2 &+ number) % 1000)
    }
  }

  func compare<Value: Element>(_ name: String) -> (Value, Value) -> Bool {
    {
      trace.add("    \(name) of \($0) and \($1)")
      return $0.number % 7 < $1.number % 7
    }
  }

  func tryCompare<Value: Element>(_ name: String, _ number: Int) -> (Value, Value) throws -> Bool {
    {
      trace.add("    \(name) of \($0) and \($1)")
      if ($0.number &+ $1.number &+ number) % 6 == 5 { throw Fault(number: $0.number) }
      return $0.number % 7 < $1.number % 7
    }
  }

  func add<Value: Element>(_ name: String) -> (Value, Value) -> Value {
    {
      trace.add("    \(name) of \($0) and \($1)")
      return Value(number: ($0.number &+ $1.number) % 1000)
    }
  }

  func tryAdd<Value: Element>(_ name: String, _ number: Int) -> (Value, Value) throws -> Value {
    {
      trace.add("    \(name) of \($0) and \($1)")
      if ($1.number &+ number) % 5 == 4 { throw Fault(number: $1.number) }
      return Value(number: ($0.number &+ $1.number) % 1000)
    }
  }
}

/// Runs a case against the library of this module and returns what happened.
public func run(_ plan: Case, _ options: RunOptions, trace: Trace) {
  let world = World(trace: trace, script: plan.script, options: options)
  switch Builder(world: world).build(plan.pipeline) {
  case .numbers(let publisher): run(publisher, in: world)
  case .texts(let publisher): run(publisher, in: world)
  case .lists(let publisher): run(publisher, in: world)
  }
}

private func run<Value: Element>(_ publisher: AnyPublisher<Value, Fault>, in world: World) {
  world.subscribe = { [unowned world] in
    if world.script.sinks {
      world.recorders.append(SinkRecorder(world, publisher))
    } else {
      let recorder = Recorder<Value>(world)
      world.recorders.append(recorder)
      publisher.subscribe(recorder)
    }
  }
  world.subscribe()
  for action in world.script.actions { world.perform(action) }
  for recorder in world.recorders { (recorder as? Recorder<Value>)?.examine() }
  world.trace.close()
  world.tearDown()
}
