import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

extension Builder {
  func build(_ source: Source) -> Pipe {
    switch source {
    case .probe(let number, let mode): probe(number, mode).packed()
    case .passthrough(let number): passthrough(number).packed()
    case .currentValue(let number, let value): currentValue(number, value).packed()
    case .future(let number): future(number).packed()
    case .futureNow(let value, let succeeds):
      Future<Int, Fault> { promise in
        note("future", value)
        promise(result(value, succeeds))
      }.packed()
    case .just(let value): Just(value + offset).packed()
    case .optional(let value): Optional.Publisher(value.map { $0 + offset }).packed()
    case .result(let value, let succeeds): Result.Publisher(result(value, succeeds)).packed()
    case .empty(let completes):
      Empty(completeImmediately: completes, outputType: Int.self, failureType: Fault.self).packed()
    case .fail(let value): Fail(outputType: Int.self, failure: Fault(number: value)).packed()
    case .sequence(let count):
      Publishers.Sequence<[Int], Fault>(sequence: values(count)).packed()
    case .record(let count, let fails):
      Record(output: values(count), completion: fails ? .failure(Fault(number: count)) : .finished).packed()
    case .special(let source, let step): special(source, step)
    }
  }

  private func special(_ source: SpecialSource, _ step: Step) -> Pipe {
    switch source {
    case .just: apply(step, to: Just(5 + offset))
    case .optional: apply(step, to: Optional.Publisher(5 + offset))
    case .none: apply(step, to: Optional<Int>.Publisher(nil))
    case .success: apply(step, to: Result.Publisher(result(5, true)))
    case .failure: apply(step, to: Result.Publisher(result(5, false)))
    case .sequence: apply(step, to: Publishers.Sequence<[Int], Fault>(sequence: values(3)))
    }
  }

  func values(_ count: Int) -> [Int] { (0..<count).map { $0 + offset } }

  func result(_ value: Int, _ succeeds: Bool) -> Result<Int, Fault> {
    succeeds ? .success(value + offset) : .failure(Fault(number: value))
  }

  private func probe(_ number: Int, _ mode: ProbeMode) -> Probe {
    if let probe = world.probes[number] { return probe }
    let probe = Probe(number, mode, world)
    world.probes[number] = probe
    return probe
  }

  private func passthrough(_ number: Int) -> PassthroughSubject<Int, Fault> {
    if let subject = world.passthroughs[number] { return subject }
    let subject = PassthroughSubject<Int, Fault>()
    world.passthroughs[number] = subject
    return subject
  }

  private func currentValue(_ number: Int, _ value: Int) -> CurrentValueSubject<Int, Fault> {
    if let subject = world.currentValues[number] { return subject }
    let subject = CurrentValueSubject<Int, Fault>(value)
    world.currentValues[number] = subject
    return subject
  }

  private func future(_ number: Int) -> Future<Int, Fault> {
    Future { [world] promise in world.promises[number, default: []].append(promise) }
  }
}
