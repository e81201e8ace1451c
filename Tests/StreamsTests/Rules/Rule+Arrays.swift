import Streams

extension Rule {
  /// Sends arrays, and as many single values, to subjects that the entry is attached to. Meanwhile somebody acts, in a
  /// subscriber's method or in a closure of the entry's. Everybody hears the same, in the same order.
  static func arrays(_ entry: Entry, _ findings: Findings) {
    var generator = SplitMix(state: 2)
    for _ in 0..<60 { compareArrays(entry, ArrayPlan(using: &generator), findings) }
  }

  static func compareArrays(_ entry: Entry, _ plan: ArrayPlan, _ findings: Findings) {
    let (singles, callCount) = ArrayRun(entry, plan, sendsArrays: false).played()
    let (arrays, arrayCallCount) = ArrayRun(entry, plan, sendsArrays: true).played()
    // Closures may be called ahead for values that are not wanted then. One that acts there has not done so before.
    if !plan.actsInValues, callCount != arrayCallCount { return }
    let same = zip(singles, arrays).prefix { $0 == $1 }.count
    findings.expect(
      arrays == singles,
      "after \(singles.prefix(same)): \(arrays.dropFirst(same)), not \(singles.dropFirst(same)), with \(plan)"
    )
  }

  /// Sends arrays while somebody acts in releases.
  static func actInReleases(_ entry: Entry, _ plan: ArrayPlan, _ findings: Findings) {
    for probe in ArrayRun(entry, plan, sendsArrays: true).playedWithReleases() {
      findings.expectOrder(probe, "with \(plan)")
    }
  }
}

/// Who acts amid arrays, when, and how.
struct ArrayPlan {
  enum Place: Equatable {
    /// With so many values a subscriber has.
    case value(subscriber: Int, number: Int)
    /// In a call of a closure. What closures are called for may be ahead of what subscribers have, so that only one acts.
    case closure(Int, call: Int)

    var number: Int {
      switch self {
      case .value(_, let number), .closure(_, let number): number
      }
    }
  }

  enum Action: CaseIterable {
    case send, sendArray, sendToAnother, subscribe, cancel, cancelAnother, request, read, finish, fail
  }

  let supply: Bench.Supply
  let demand: Subscribers.Demand
  let returned: Int
  let subscriberCount: Int
  let actions: [(place: Place, action: Action)]
  /// Whether each call of a closure does something that nobody hears of: then none is called ahead.
  let hasBusyClosures: Bool

  init(using generator: inout SplitMix) {
    // The others send arrays value by value more often.
    let subjects = Bench.SharedSubject.allCases + [.passthrough]
    supply = .shared(subjects.randomElement(using: &generator)!, isMapped: .random(using: &generator))
    demand = [.unlimited, .unlimited, .unlimited, .max(1), .max(4)].randomElement(using: &generator)!
    returned = .random(in: 0...1, using: &generator)
    // Who is alone gets an array as a whole.
    subscriberCount = [1, 1, 1, 2].randomElement(using: &generator)!
    let isInClosure = Bool.random(using: &generator)
    hasBusyClosures = Int.random(in: 0...3, using: &generator) == 0
    actions = (0..<(isInClosure ? 1 : Int.random(in: 1...3, using: &generator))).map { _ in
      let number = Int.random(in: 1...5, using: &generator)
      let who = Int.random(in: 0...3, using: &generator)
      return (
        isInClosure ? .closure(who, call: number) : .value(subscriber: who % 2, number: number),
        (Action.allCases + [.subscribe, .subscribe, .subscribe, .sendToAnother]).randomElement(
          using: &generator)!
      )
    }
  }

  func action(at place: Place) -> Action? { actions.first { $0.place == place }?.action }
}

/// A run of a plan: with arrays, or with single values.
private final class ArrayRun {
  private let plan: ArrayPlan
  private let sendsArrays: Bool
  private let run: Run
  private var probes: [Probe]
  private var log: [String] = []
  /// The upstream that is sending.
  private var active: (any Feed)?
  private var callCounts: [Int: Int] = [:]
  /// Of no concern to anybody.
  private let bystander = PassthroughSubject<Void, Never>()
  /// How many closures there are at first. What is subscribed to later may have more, and sooner where they are called ahead.
  private var closureCount = 4

  init(_ entry: Entry, _ plan: ArrayPlan, sendsArrays: Bool) {
    self.plan = plan
    self.sendsArrays = sendsArrays
    probes = (0..<plan.subscriberCount).map { _ in Probe(demand: plan.demand, takesBatches: false) }
    run = Run(unsubscribed: entry, plan.supply, probes[0], also: Array(probes.dropFirst()))
    for index in probes.indices { observe(index) }
    run.bench.onClosure = { [unowned self] number in
      if plan.hasBusyClosures { bystander.send() }
      callCounts[number, default: 0] += 1
      // An entry may have fewer closures than a plan reckons with.
      for each in stride(from: number, to: 4, by: closureCount) {
        if let action = plan.action(at: .closure(each, call: callCounts[number]!)) { act(action, 0) }
      }
    }
  }

  /// Returns what everybody has heard, and how often closures were called. If one of these acts, each subscriber is by
  /// itself: some operators send a new one its subscription before they subscribe to anything that others hear of.
  func played() -> (log: [String], callCounts: [Int: Int]) {
    run.subscribe()
    run.settle()
    closureCount = max(1, run.bench.closureCount)
    for count in [1, 4, 3] {
      for source in run.bench.talkativeSources.reversed() where !source.isOver { send(count, to: source) }
      run.settle()
      note("current values")
    }
    for probe in probes { probe.request(.max(2)) }
    run.finish()
    note("current values at the end")
    run.bench.onClosure = { _ in }
    for probe in probes { probe.cancel() }
    if plan.actsInValues { return (log, callCounts) }
    return (Set(log.map { $0.first! }).sorted().flatMap { who in log.filter { $0.first == who } }, callCounts)
  }

  /// Whatever is to happen in a value or a closure happens in a release. Returns the subscribers.
  func playedWithReleases() -> [Probe] {
    run.bench.onClosure = { _ in }
    for probe in probes { probe.onValue = { [plan] _ in .max(plan.returned) } }
    var releaseCount = 0
    run.bench.onRelease = { [unowned self] in
      releaseCount += 1
      for (place, action) in plan.actions where place.number == releaseCount { act(action, 0) }
    }
    _ = played()
    run.bench.onRelease = {}
    return probes
  }

  private func note(_ event: String) {
    log.append("\(event) \(run.bench.sources.compactMap(\.latest))")
  }

  private func observe(_ index: Int) {
    let probe = probes[index]
    probe.onSubscription = { [unowned self] _ in note("\(index): subscription") }
    probe.onCompletion = { [unowned self] in note("\(index): \($0.completions.last!)") }
    probe.onValue = { [unowned self] probe in
      note("\(index): \(probe.trace.last!)")
      if let action = plan.action(at: .value(subscriber: index, number: probe.valueCount)) {
        act(action, index)
      }
      return .max(plan.returned)
    }
  }

  private func send(_ count: Int, to source: any Feed) {
    let values = (0..<count).map { _ in run.nextValue() }
    let outer = active
    active = source
    if sendsArrays { source.send(batch: values) } else { values.forEach(source.send) }
    active = outer
  }

  /// Acts for the subscriber of this number.
  private func act(_ action: ArrayPlan.Action, _ index: Int) {
    guard let source = active else { return }
    switch action {
    case .send: send(1, to: source)
    case .sendArray: send(3, to: source)
    case .sendToAnother:
      let other = run.bench.talkativeSources.first { $0 !== source } ?? source
      send(2, to: other)
    case .subscribe:
      probes.append(Probe(demand: plan.demand, takesBatches: false))
      observe(probes.count - 1)
      run.subscribe(probes[probes.count - 1])
    case .cancel: probes[index].cancel()
    case .cancelAnother: probes[probes.count - 1].cancel()
    case .request: probes[index].request(.max(2))
    case .read: note("read:")
    case .finish: source.finish()
    case .fail: source.fail()
    }
  }
}

extension ArrayPlan {
  fileprivate var actsInValues: Bool {
    actions.contains { if case .value = $0.place { true } else { false } }
  }
}
