import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

/// What one run of a pipeline knows: its sources, its subscribers and its time.
final class World {
  let trace: Trace
  let agenda = Agenda()
  let script: Script
  let options: RunOptions
  /// Numbers the taps.
  var tapCount = 0
  var probes: [Int: Probe] = [:]
  var passthroughs: [Int: PassthroughSubject<Int, Fault>] = [:]
  var currentValues: [Int: CurrentValueSubject<Int, Fault>] = [:]
  var promises: [Int: [(Result<Int, Fault>) -> Void]] = [:]
  var connectables: [Int: [() -> any Cancellable]] = [:]
  var connections: [Int: [any Cancellable]] = [:]
  /// What must live as long as the run.
  var cancellables: [any Cancellable] = []
  var recorders: [any AnyRecorder] = []
  /// Subscribes one more recorder.
  var subscribe: () -> Void = {}
  private var depth = 0
  private var disturbances = 0
  private var junk: [[Int]] = []

  init(trace: Trace, script: Script, options: RunOptions) {
    self.trace = trace
    self.script = script
    self.options = options
  }

  var clock: Clock { Clock(world: self) }

  /// Allocates some memory, so that what is allocated next lies elsewhere.
  func disturb() {
    guard options.disturbance > 0 else { return }
    disturbances += 1
    for size in 1...8 where (options.disturbance * 2_654_435_761 >> (disturbances % 16 + size)) & 1 == 1 {
      junk.append([Int](repeating: 0, count: size * 2))
    }
  }

  func perform(_ action: Action) {
    disturb()
    // A reaction may cause itself.
    guard depth < 20, !trace.isFull else { return }
    depth += 1
    defer { depth -= 1 }
    trace.add("\(depth == 1 ? "--" : "  --") \(action)")
    switch action {
    case .send(let source, let value, let one): send(value, from: source, to: one)
    case .finish(let source): complete(source, .finished)
    case .fail(let source, let value): complete(source, .failure(Fault(number: value)))
    case .greet(let source): probes[source]?.greet()
    case .request(let number, let amount): recorder(number)?.request(amount.demand)
    case .cancel(let number): recorder(number)?.cancel()
    case .advance(let length): agenda.advance(by: length)
    case .connect(let number): connect(number)
    case .disconnect(let number): disconnect(number)
    case .subscribe: if recorders.count < 2 { subscribe() }
    }
  }

  private func recorder(_ number: Int) -> (any AnyRecorder)? {
    recorders.indices.contains(number) ? recorders[number] : nil
  }

  private func send(_ value: Int, from source: Int, to one: Int?) {
    probes[source]?.send(value, to: one)
    passthroughs[source]?.send(value)
    currentValues[source]?.send(value)
    promises.removeValue(forKey: source)?.forEach { $0(.success(value)) }
  }

  private func complete(_ source: Int, _ completion: Subscribers.Completion<Fault>) {
    probes[source]?.complete(completion)
    passthroughs[source]?.send(completion: completion)
    currentValues[source]?.send(completion: completion)
    if case .failure(let fault) = completion {
      promises.removeValue(forKey: source)?.forEach { $0(.failure(fault)) }
    }
  }

  private func connect(_ number: Int) {
    // Once only: every connection adds to what is delivered.
    guard connections[number] == nil else { return }
    connections[number] = []
    for connect in connectables[number] ?? [] { connections[number]?.append(connect()) }
  }

  private func disconnect(_ number: Int) {
    for connection in connections.removeValue(forKey: number) ?? [] { connection.cancel() }
  }

  /// Releases everything, so that no cycle of references outlives the run.
  func tearDown() {
    subscribe = {}
    probes.values.forEach { $0.forget() }
    (probes, passthroughs, currentValues, promises) = ([:], [:], [:], [:])
    (connectables, connections, cancellables, recorders) = ([:], [:], [], [])
    agenda.clear()
  }
}
